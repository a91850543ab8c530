package io.millrace.n1ql.plan.statement;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.keyspace.Change;
import io.millrace.n1ql.keyspace.Keyspace;
import io.millrace.n1ql.keyspace.StoredDocument;
import io.millrace.n1ql.plan.operator.DocumentReader;
import io.millrace.n1ql.plan.operator.DocumentReader.KeyspaceSlots;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Carries out changes of documents, many at a time, and collects what RETURNING says of them. A document that has
 * changed since it was read is read again, and what is to be done with it is decided again.
 */
final class ChangeWriter {

    private static final int BATCH = 64;
    private static final int MOST_ATTEMPTS = 16;
    /** Up to this many seconds an expiration counts from now, as memcached has it. */
    private static final long LONGEST_RELATIVE_SECONDS = 30L * 24 * 3600;

    private final Execution execution;
    private final Keyspace keyspace;
    private final KeyspaceSlots slots;
    private final @Nullable Eval returning;
    private final List<Value> results = new ArrayList<>();
    private final List<Work> batch = new ArrayList<>();
    private final Set<String> keys = new HashSet<>();

    /** Decides again after the document has changed; null when nothing is to be done any more. */
    interface Redo {
        @Nullable
        Work with(StoredDocument fresh);
    }

    /** A change and the row that it comes from. */
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

    /** Takes a change; two of the same document are carried out one after the other. */
    void add(Work work) {
        if (batch.size() >= BATCH || !keys.add(work.change().key())) {
            flush();
            keys.add(work.change().key());
        }
        batch.add(work);
    }

    /** Carries out the rest and returns the results. */
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
            StoredDocument fresh = execution.await(keyspace.fetch(List.of(key))).getFirst();
            Work again = fresh == null ? null : redo.with(fresh);
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
            case Change.NotFound gone -> {} // somebody else deleted it
            case Change.CasMismatch mismatch -> throw new IllegalStateException("settled above");
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
        results.add(returning.eval(row));
    }

    // ---- what is stored

    /** Returns the expiration that OPTIONS says, or null when they say none. */
    static @Nullable Long expiration(@Nullable Value options, Execution execution) {
        if (options == null || options.isUnknown()) {
            return null;
        }
        if (!(options instanceof ObjectValue object)) {
            throw QueryException.of(
                    ErrorCode.BAD_OPTIONS,
                    "OPTIONS must be an object, not " + options.type().label());
        }
        return object.get("expiration") instanceof NumberValue seconds
                ? absolute(seconds.longValue(), execution)
                : null;
    }

    static long absolute(long seconds, Execution execution) {
        return seconds > 0 && seconds <= LONGEST_RELATIVE_SECONDS
                ? execution.now().getEpochSecond() + seconds
                : Math.max(0, seconds);
    }
}
