package io.millrace.n1ql.runtime;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.keyspace.Sequence;
import io.millrace.n1ql.keyspace.SequenceName;
import io.millrace.n1ql.keyspace.SequenceStore;
import io.millrace.n1ql.keyspace.SequenceStore.Kept;
import io.millrace.n1ql.keyspace.StatementRights.Need;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The values of sequences in one process: those of a block that it has reserved, so that the store is written once for many
 * values. A run asks the store once for each sequence whether it is still the one that the block is of. Thread-safe.
 */
public final class Sequences {

    /** How often a block is asked for; each failure means that another process has got one. */
    private static final int ATTEMPTS = 1_000;

    /** The most sequences whose block is remembered; the values of a forgotten one are lost. */
    private static final int MOST_BLOCKS = 10_000;

    private final Map<SequenceName, Counter> counters = new ConcurrentHashMap<>();

    /** The block of a sequence; guarded by itself. */
    private static final class Counter {
        private String generation = "";
        private long next;
        private long left;
        private long increment;
        private @Nullable Long previous;
    }

    /** Returns the name that a path of a statement means; throws a {@link QueryException} unless it means one. */
    public static SequenceName name(List<String> path, Execution execution) {
        SequenceName name = SequenceName.of(path, execution.queryContext());
        if (name == null) {
            throw QueryException.of(
                    ErrorCode.SEQUENCE_NAME,
                    "Invalid sequence name '%s': write bucket.scope.name, or one name in a query context"
                            .formatted(String.join(".", path)));
        }
        return name;
    }

    /** Returns the error of a sequence that does not exist. */
    public static QueryException notFound(SequenceName name) {
        return QueryException.of(ErrorCode.SEQUENCE_NOT_FOUND, "Sequence not found '%s'".formatted(name));
    }

    /** Throws a {@link QueryException} unless the run may do this with a sequence. */
    public static void require(Need need, SequenceName name, Execution execution) {
        // not Execution#require: what that allows, statements may read
        if (!execution.rights().allows(need, name.place())) {
            throw QueryException.notAllowed(need, name.place(), execution.rights());
        }
    }

    /** Returns the next value of a sequence for NEXTVAL, or for PREVVAL the last one that this process has given. */
    public long value(List<String> path, boolean next, Execution execution) {
        SequenceName name = name(path, execution);
        require(Need.USE_SEQUENCES, name, execution);
        Counter counter = counter(name);
        String generation = generation(name, counter, execution);
        return next ? next(name, counter, generation, execution) : previous(name, counter, generation);
    }

    private Counter counter(SequenceName name) {
        if (counters.size() >= MOST_BLOCKS) {
            counters.clear();
        }
        return counters.computeIfAbsent(name, unknown -> new Counter());
    }

    /** Returns the generation that the run has seen first. */
    private static String generation(SequenceName name, Counter counter, Execution execution) {
        return (String) execution.memo(counter, seen -> seen == null ? current(name, execution) : seen);
    }

    private static String current(SequenceName name, Execution execution) {
        Kept kept = execution.store().sequences().find(name);
        if (kept == null) {
            throw notFound(name);
        }
        return kept.sequence().generation();
    }

    private static long next(SequenceName name, Counter counter, String generation, Execution execution) {
        synchronized (counter) {
            if (counter.left == 0 || !counter.generation.equals(generation)) {
                Sequence.Block block = reserve(name, execution);
                counter.generation = block.rest().generation();
                counter.next = block.first();
                counter.left = block.count();
                counter.increment = block.rest().increment();
                execution.memo(counter, seen -> counter.generation);
            }
            long value = counter.next;
            counter.left--;
            counter.next = value + counter.increment;
            counter.previous = value;
            return value;
        }
    }

    private static Sequence.Block reserve(SequenceName name, Execution execution) {
        SequenceStore store = execution.store().sequences();
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Kept kept = store.find(name);
            if (kept == null) {
                throw notFound(name);
            }
            Sequence.Block block = kept.sequence().reserve();
            if (block == null) {
                throw QueryException.of(
                        ErrorCode.SEQUENCE_EXHAUSTED,
                        "Sequence '%s' has no values left; ALTER SEQUENCE with RESTART, CYCLE or another limit gives it more."
                                .formatted(name));
            }
            if (store.replace(kept, block.rest())) {
                return block;
            }
            execution.check();
        }
        throw QueryException.casMismatch(name.toString());
    }

    private static long previous(SequenceName name, Counter counter, String generation) {
        synchronized (counter) {
            if (counter.previous == null || !Objects.equals(counter.generation, generation)) {
                throw QueryException.of(
                        ErrorCode.SEQUENCE_UNUSED,
                        "Sequence '%s' has no previous value here: NEXTVAL FOR has to give one first.".formatted(name));
            }
            return counter.previous;
        }
    }
}
