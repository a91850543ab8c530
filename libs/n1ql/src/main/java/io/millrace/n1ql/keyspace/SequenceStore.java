package io.millrace.n1ql.keyspace;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sequences by name. Thread-safe; calls may wait for the store. */
public interface SequenceStore {

    /**
     * A sequence as it was read.
     *
     * @param version tells whether it has changed since
     */
    record Kept(Sequence sequence, long version) {}

    /** Has no sequences and takes none. */
    SequenceStore NONE = new SequenceStore() {
        @Override
        public @Nullable Kept find(SequenceName name) {
            return null;
        }

        @Override
        public List<Sequence> all() {
            return List.of();
        }

        @Override
        public boolean create(Sequence sequence) {
            throw QueryException.of(ErrorCode.SEMANTICS, "Sequences cannot be created here.");
        }

        @Override
        public boolean replace(Kept seen, Sequence now) {
            return false;
        }

        @Override
        public boolean drop(SequenceName name) {
            return false;
        }
    };

    /** Returns a sequence, or null if it does not exist. */
    @Nullable
    Kept find(SequenceName name);

    /** Returns all sequences, for {@code system:sequences}. */
    List<Sequence> all();

    /** Keeps a sequence; false if there is one of that name. */
    boolean create(Sequence sequence);

    /** Replaces a sequence; false if it has changed since it was read, or does not exist any more. */
    boolean replace(Kept seen, Sequence now);

    /** Removes a sequence; false if it does not exist. */
    boolean drop(SequenceName name);
}
