package io.millrace.worker.sql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.handler.host.HostFailure;
import io.millrace.handler.host.SqlCall;
import io.millrace.worker.WorkerLimits;
import io.millrace.workerprotocol.HandlerSettings;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A database under its alias, with a pool of connections that is made when the first statement runs. */
final class Database {

    static final String NO_STATE = "HY000";
    static final String TIMED_OUT = "HYT00";

    /** The shortest times that the pool takes. */
    private static final long SHORTEST_PATIENCE_MILLIS = 250;

    private final HandlerSettings.Database binding;
    private final Dialect dialect;
    private final Places places;
    private final Path drivers;
    private final ExecutorService threads;
    private @Nullable HikariDataSource pool;
    private boolean closed;

    Database(HandlerSettings.Database binding, Places places, Path drivers, ExecutorService threads) {
        this.binding = binding;
        this.dialect = Dialect.of(binding.url());
        this.places = places;
        this.drivers = drivers;
        this.threads = threads;
    }

    /** @param nanos the longest that it may take if the binding allows more */
    SqlCall.Answer run(SqlCall call, long nanos) throws HostFailure {
        StatementText statement = StatementText.of(call.statement(), call.named(), dialect);
        List<@Nullable Object> values = Parameters.of(call, statement);
        Execution execution = new Execution(pool(), binding, dialect, statement.text(), values);
        FutureTask<SqlCall.Answer> task = new FutureTask<>(execution);
        threads.execute(task);
        try {
            return task.get(Math.min(nanos, binding.timeoutMillis() * 1_000_000), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } catch (TimeoutException e) {
            throw HostFailure.sqlError(TIMED_OUT, "The time for the statement is up; " + given(execution));
        } catch (InterruptedException e) {
            throw HostFailure.sqlError(TIMED_OUT, "The invocation was stopped; " + given(execution));
        }
    }

    private String given(Execution execution) {
        boolean undone = execution.giveUp(threads);
        return undone ? "it was cancelled and changed nothing" : "whether it changed anything is unknown";
    }

    private HostFailure failure(@Nullable Throwable cause) {
        return switch (cause) {
            case HostFailure known -> known;
            case SQLTransientConnectionException none -> unconnected(none);
            case SQLException e -> HostFailure.sqlError(state(e), String.valueOf(e.getMessage()));
            case RuntimeException e -> HostFailure.sqlError(NO_STATE, CheckedSource.failedWith(e));
            case LinkageError e -> HostFailure.sqlError(NO_STATE, CheckedSource.failedWith(e));
            case null, default -> throw new IllegalStateException("A statement failed unexpectedly", cause);
        };
    }

    /** The message of the pool is about the pool; what the driver said is its cause. */
    private HostFailure unconnected(SQLTransientConnectionException none) {
        if (none.getCause() instanceof SQLException reason) {
            return HostFailure.sqlError(
                    state(reason),
                    "No connection to the database of binding '%s': %s".formatted(binding.name(), reason.getMessage()));
        }
        return HostFailure.sqlError(
                "08001",
                "No connection to the database of binding '%s' within %d ms; if all %d are busy, raise its pool_size"
                        .formatted(binding.name(), patience(), binding.connections()));
    }

    private static String state(SQLException e) {
        String state = e.getSQLState();
        return state == null || state.isEmpty() ? NO_STATE : state;
    }

    private long patience() {
        long longest = WorkerLimits.SQL_CONNECTION_PATIENCE.toMillis();
        return Math.max(SHORTEST_PATIENCE_MILLIS, Math.min(longest, binding.timeoutMillis()));
    }

    /** What cannot succeed fails here at once, instead of being tried again by the pool. */
    private synchronized HikariDataSource pool() throws HostFailure {
        if (closed) {
            throw HostFailure.sqlError("08003", "The function is being stopped");
        }
        HikariDataSource known = pool;
        if (known != null) {
            return known;
        }
        try {
            places.check(binding.url());
        } catch (SQLException e) {
            throw HostFailure.sqlError(state(e), "Binding '%s': %s".formatted(binding.name(), e.getMessage()));
        }
        HikariConfig config = new HikariConfig();
        config.setDataSource(new CheckedSource(
                Drivers.in(drivers).of(binding.url()), binding.url(), dialect.properties(binding), places));
        config.setPoolName("sql-" + binding.name());
        config.setMaximumPoolSize(binding.connections());
        config.setMinimumIdle(0);
        config.setIdleTimeout(WorkerLimits.SQL_IDLE_CONNECTION.toMillis());
        config.setConnectionTimeout(patience());
        config.setValidationTimeout(patience());
        config.setInitializationFailTimeout(-1);
        config.setAutoCommit(false);
        config.setReadOnly(binding.readOnly());
        HikariDataSource made = new HikariDataSource(config);
        pool = made;
        return made;
    }

    /** Closes the connections; statements that run are cut off. */
    synchronized void close() {
        closed = true;
        HikariDataSource known = pool;
        if (known != null) {
            known.close();
        }
    }
}
