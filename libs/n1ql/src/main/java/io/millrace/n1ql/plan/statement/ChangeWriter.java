package io.millrace.n1ql.plan.statement;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.keyspace.Keyspace;
import io.millrace.n1ql.keyspace.Keyspace.Change;
import io.millrace.n1ql.keyspace.Keyspace.StoredDocument;
import io.millrace.n1ql.plan.operator.DocumentReader;
import io.millrace.n1ql.plan.operator.DocumentReader.KeyspaceSlots;
import io.millrace.n1ql.plan.operator.Fetches;
import io.millrace.n1ql.plan.spill.RowSizes;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import io.millrace.n1ql.value.ValueBytes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Carries out changes of documents in batches, and collects the results of RETURNING. A document that has changed since
 * it was read is read again, and its change is decided again.
 */
final class ChangeWriter {

    private static final String EXPIRATION = "expiration";

    private static final int BATCH = 64;
    private static final int MOST_ATTEMPTS = 16;
    /** Expirations up to this many seconds are relative to now, as in memcached. */
    private static final long LONGEST_RELATIVE_SECONDS = 30L * 24 * 3600;

    private final Execution execution;
    private final Keyspace keyspace;
    private final KeyspaceSlots slots;
    private final @Nullable Eval returning;
    private final List<Value> results = new ArrayList<>();
    private final List<Work> batch = new ArrayList<>();
    private final Set<String> keys = new HashSet<>();

    /** Decides the change again after the document has changed; returns null if there is nothing to do. */
    interface Redo {
        @Nullable
        Work with(StoredDocument fresh);
    }

    /** A change and its row. */
    record Work(Frame row, Change change, @Nullable Redo redo) {}

    ChangeWriter(Execution execution, Keyspace keyspace, KeyspaceSlots slots, @Nullable Eval returning) {
        this.execution = execution;
        this.keyspace = keyspace;
        this.slots = slots;
        this.returning = returning;
    }

    Execution execution() {
        return execution;
    }

    /** Adds a change; changes of the same document are carried out in order. */
    void add(Work work) {
        if (batch.size() >= BATCH || !keys.add(work.change().key())) {
            flush();
            keys.add(work.change().key());
        }
        batch.add(work);
    }

    /** Carries out the remaining changes and returns the results. */
    List<Value> finish() {
        flush();
        return results;
    }

    private void flush() {
        execution.check();
        List<CompletableFuture<Change.Outcome>> outcomes = new ArrayList<>();
        for (Work work : batch) {
            outcomes.add(keyspace.change(work.change()));
        }
        for (int i = 0; i < outcomes.size(); i++) {
            settle(batch.get(i), execution.await(outcomes.get(i)));
        }
        batch.clear();
        keys.clear();
    }

    private void settle(Work first, Change.Outcome firstOutcome) {
        Work work = first;
        Change.Outcome outcome = firstOutcome;
        for (int attempt = 1; outcome instanceof Change.CasMismatch; attempt++) {
            Redo redo = work.redo();
            String key = work.change().key();
            if (redo == null || attempt >= MOST_ATTEMPTS) {
                execution.fail(QueryException.casMismatch(key));
                return;
            }
            Work again = again(redo, key);
            if (again == null) {
                return;
            }
            work = again;
            outcome = execution.await(keyspace.change(again.change()));
        }
        switch (outcome) {
            case Change.Done done -> done(work, done.cas());
            case Change.Exists exists ->
                execution.fail(QueryException.duplicateKey(work.change().key()));
            case Change.Refused refused ->
                execution.fail(QueryException.refused(work.change().key(), refused.reason()));
            case Change.NotFound gone -> {} // another writer deleted it
            case Change.CasMismatch mismatch -> throw new IllegalStateException("settled above");
        }
    }

    private @Nullable Work again(Redo redo, String key) {
        try (Fetches fetched = Fetches.of(keyspace, List.of(key), execution)) {
            StoredDocument fresh = fetched.documents().getFirst();
            return fresh == null ? null : redo.with(fresh);
        }
    }

    private void done(Work work, long cas) {
        execution.countMutation();
        if (returning == null) {
            return;
        }
        Change change = work.change();
        byte[] body = change.body();
        Frame row = work.row();
        if (body != null) {
            Long expiration = change.expiration();
            StoredDocument stored =
                    new StoredDocument(change.key(), body, true, cas, expiration == null ? 0 : expiration, 0);
            row = DocumentReader.row(row, stored, keyspace, slots);
        }
        Value result = ValueBytes.alone(returning.eval(row));
        execution.hold(RowSizes.of(result)); // all are returned after the last change
        results.add(result);
    }

    // ---- values to store

    /** Returns the expiration of OPTIONS, or null if they have none. */
    static @Nullable Long expiration(@Nullable Value options, Execution execution) {
        if (options == null || options.isUnknown()) {
            return null;
        }
        if (!(options instanceof ObjectValue object)) {
            throw QueryException.of(
                    ErrorCode.BAD_OPTIONS,
                    "OPTIONS must be an object, not " + options.type().label());
        }
        Value expiration = object.get(EXPIRATION);
        boolean known = expiration.isMissing() ? object.size() == 0 : object.size() == 1 && expiration.isNumber();
        if (!known) {
            execution.warn(
                    ErrorCode.IGNORED_WARNING,
                    "OPTIONS has the field expiration only, in seconds; these have no effect as they are: " + object);
        }
        return expiration instanceof NumberValue seconds ? absolute(seconds.longValue(), execution) : null;
    }

    static long absolute(long seconds, Execution execution) {
        return seconds > 0 && seconds <= LONGEST_RELATIVE_SECONDS
                ? execution.now().getEpochSecond() + seconds
                : Math.max(0, seconds);
    }
}
