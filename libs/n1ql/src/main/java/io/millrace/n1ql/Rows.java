package io.millrace.n1ql;

import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.value.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a running statement, read on demand: what is not asked for is not read, closing stops all reads. Used by
 * one thread at a time; {@link #cancel} may be called by any. Has to be closed unless {@link #next} has returned null or
 * thrown.
 */
public final class Rows implements AutoCloseable {

    private final String requestId;
    private final Execution execution;
    private final Cursor<Value> cursor;
    private final Runnable onEnd;
    private boolean ended;
    private boolean failuresTold;
    private volatile long count;

    Rows(String requestId, Execution execution, Cursor<Value> cursor, Runnable onEnd) {
        this.requestId = requestId;
        this.execution = execution;
        this.cursor = cursor;
        this.onEnd = onEnd;
    }

    /** Returns what {@link QueryEngine#cancel} knows the run by. */
    public String requestId() {
        return requestId;
    }

    /**
     * Returns the next row, or null at the end. Waits for the store where it must.
     *
     * @throws QueryException when the statement fails, runs out of time or is cancelled; also at the end, when some
     *     changes of a statement failed while the others were made
     */
    public @Nullable Value next() {
        if (ended) {
            return null;
        }
        Value row;
        try {
            execution.check();
            row = cursor.next();
        } catch (RuntimeException | StackOverflowError e) {
            close();
            throw Failures.of(e);
        }
        if (row != null) {
            count++;
            return row;
        }
        close();
        List<QueryException> errors = execution.errors();
        if (!errors.isEmpty() && !failuresTold) {
            failuresTold = true;
            throw errors.getFirst();
        }
        return null;
    }

    /**
     * Returns true when {@link #next} can answer from what is in memory, so that nobody need be told of the rows so far
     * before it is called. False when that is not known.
     */
    public boolean ready() {
        return ended || cursor.ready();
    }

    /** Stops the run soon, from any thread: {@link #next} throws {@link ErrorCode#CANCELLED}. */
    public void cancel() {
        execution.end(QueryException.cancelled());
    }

    /** Stops all reads and frees what is held; may be called more than once. */
    @Override
    public void close() {
        if (!ended) {
            ended = true;
            cursor.close();
            onEnd.run();
        }
    }

    /** Returns how many rows have been given. */
    public long count() {
        return count;
    }

    /** Returns how many documents have been changed. */
    public long mutations() {
        return execution.mutations();
    }

    /** Returns how many rows were sorted. */
    public long sorted() {
        return execution.sorted();
    }

    /** Returns what the client should know although the statement went on. */
    public List<QueryException> warnings() {
        return execution.warnings();
    }

    /** Returns the errors of single changes of a statement whose other changes were made. */
    public List<QueryException> errors() {
        return List.copyOf(execution.errors());
    }
}
