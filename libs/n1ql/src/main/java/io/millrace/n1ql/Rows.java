package io.millrace.n1ql;

import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.statement.StatementPlan;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.value.Value;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a running statement. Rows are read on demand; closing stops all reads. Used by one thread at a time,
 * except for {@link #cancel}. Must be closed unless {@link #next} has returned null or thrown.
 */
public final class Rows implements AutoCloseable {

    private final String requestId;
    private final Execution execution;
    private final StatementPlan plan;
    private final Cursor<Value> cursor;
    private final Admission.Ticket ticket;
    private final Runnable onLastRow;
    private final Consumer<Rows> onEnd;
    private @Nullable QueryException failure;
    private boolean wholly;
    private boolean ended;
    private boolean failuresTold;
    private volatile long count;

    /**
     * @param onLastRow called when all rows have been returned
     * @param onEnd called when the run has ended in any way
     */
    Rows(
            String requestId,
            Execution execution,
            StatementPlan plan,
            Admission.Ticket ticket,
            Runnable onLastRow,
            Consumer<Rows> onEnd) {
        this.ticket = ticket;
        this.requestId = requestId;
        this.execution = execution;
        this.plan = plan;
        this.cursor = plan.run(execution);
        this.onLastRow = onLastRow;
        this.onEnd = onEnd;
    }

    /** Returns the id of the run, for {@link QueryEngine#cancel}. */
    public String requestId() {
        return requestId;
    }

    /**
     * Returns the next row, or null at the end. May wait for the store.
     *
     * @throws QueryException if the statement fails, times out or is cancelled; also at the end, if some changes of the
     *     statement failed and the others were made
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
            QueryException known = Failures.of(e);
            failure = known;
            close();
            throw known;
        }
        if (row != null) {
            count++;
            return row;
        }
        List<QueryException> errors = execution.errors();
        wholly = true;
        onLastRow.run();
        failure = errors.isEmpty() ? null : errors.getFirst();
        close();
        if (!errors.isEmpty() && !failuresTold) {
            failuresTold = true;
            throw errors.getFirst();
        }
        return null;
    }

    /**
     * Returns whether {@link #next} can answer from memory without waiting; callers that batch rows can then call it
     * before they send the batch. False if that is not known.
     */
    public boolean ready() {
        return ended || cursor.ready();
    }

    /**
     * Lets other long statements compute until the next call of {@link #next}; to be called before rows are sent to a client,
     * which may take its time.
     */
    public void pause() {
        ticket.pause();
    }

    /** Requests the end of the run, from any thread: {@link #next} throws {@link ErrorCode#CANCELLED}. */
    public void cancel() {
        execution.end(QueryException.cancelled());
    }

    /** Stops all reads and releases resources; may be called more than once. */
    @Override
    public void close() {
        if (!ended) {
            ended = true;
            ticket.pause();
            cursor.close();
            execution.closeAll();
            onEnd.accept(this);
        }
    }

    /** Returns why the rows ended early, or null. */
    @Nullable
    QueryException failure() {
        return failure;
    }

    /** Returns whether all rows have been returned. */
    boolean wholly() {
        return wholly;
    }

    /** Returns how many rows have been returned. */
    public long count() {
        return count;
    }

    /**
     * Returns the plan as EXPLAIN shows it; with {@link QueryOptions#profiled}, with what each operator has done so far.
     */
    public Value explained() {
        return plan.explain(execution);
    }

    /** Returns how many documents have been changed. */
    public long mutations() {
        return execution.mutations();
    }

    /** Returns how many rows were sorted. */
    public long sorted() {
        return execution.sorted();
    }

    /** Returns the warnings of the statement. */
    public List<QueryException> warnings() {
        return execution.warnings();
    }

    /** Returns the errors of failed changes of a statement whose other changes were made. */
    public List<QueryException> errors() {
        return List.copyOf(execution.errors());
    }
}
