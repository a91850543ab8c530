package io.millrace.worker.sql;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.handler.host.HostFailure;
import io.millrace.handler.host.SqlCall;
import io.millrace.workerprotocol.HandlerSettings;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One statement in a transaction of its own, on a thread that can be left behind. That of a read-only binding is always rolled
 * back, so that nothing remains even where a driver takes read-only for a hint.
 */
final class Execution implements Callable<SqlCall.Answer> {

    private static final int FETCHED_ROWS = 256;

    private enum Stage {
        RUNNING,
        COMMITTING,
        GIVEN_UP
    }

    private final HikariDataSource pool;
    private final HandlerSettings.Database binding;
    private final Dialect dialect;
    private final String statement;
    private final List<@Nullable Object> values;
    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.RUNNING);
    private volatile @Nullable Connection connection;
    private volatile @Nullable PreparedStatement running;

    Execution(
            HikariDataSource pool,
            HandlerSettings.Database binding,
            Dialect dialect,
            String statement,
            List<@Nullable Object> values) {
        this.pool = pool;
        this.binding = binding;
        this.dialect = dialect;
        this.statement = statement;
        this.values = values;
    }

    @Override
    public SqlCall.Answer call() throws SQLException, HostFailure {
        try (Connection used = pool.getConnection()) {
            connection = used;
            try (PreparedStatement prepared = used.prepareStatement(statement)) {
                running = prepared;
                prepared.setMaxRows(binding.mostRows() + 1);
                prepared.setFetchSize(Math.min(FETCHED_ROWS, binding.mostRows() + 1));
                Parameters.bind(prepared, values, dialect);
                requireNotGivenUp();
                SqlCall.Answer answer = prepared.execute()
                        ? Rows.read(prepared.getResultSet(), binding)
                        : new SqlCall.Answer.Changed(Math.max(0, prepared.getUpdateCount()));
                end(used);
                return answer;
            } catch (SQLException | HostFailure | RuntimeException e) {
                rollBack(used, e);
                throw e;
            }
        }
    }

    private void requireNotGivenUp() throws HostFailure {
        if (stage.get() == Stage.GIVEN_UP) {
            throw HostFailure.sqlError(Database.TIMED_OUT, "The statement was given up");
        }
    }

    private void end(Connection used) throws SQLException, HostFailure {
        if (binding.readOnly()) {
            used.rollback();
            return;
        }
        if (!stage.compareAndSet(Stage.RUNNING, Stage.COMMITTING)) {
            requireNotGivenUp();
        }
        used.commit();
    }

    private static void rollBack(Connection used, Exception reason) {
        try {
            used.rollback();
        } catch (SQLException e) {
            reason.addSuppressed(e); // the connection is broken, and the database rolls back by itself
        }
    }

    /**
     * Cancels the statement without waiting for the database, which may not answer.
     *
     * @return false if it may have been carried out
     */
    boolean giveUp(Executor threads) {
        boolean undone = stage.compareAndSet(Stage.RUNNING, Stage.GIVEN_UP);
        threads.execute(this::cut);
        return undone;
    }

    private void cut() {
        PreparedStatement begun = running;
        Connection used = connection;
        try {
            if (begun != null) {
                begun.cancel();
            }
        } catch (SQLException e) {
            // the connection is closed below in any case
        }
        if (used != null) {
            pool.evictConnection(used);
        }
    }
}
