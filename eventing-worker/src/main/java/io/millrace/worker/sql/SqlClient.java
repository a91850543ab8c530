package io.millrace.worker.sql;

import io.millrace.handler.host.HostFailure;
import io.millrace.handler.host.SqlCall;
import io.millrace.workerprotocol.HandlerSettings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.ObjLongConsumer;

/**
 * The databases of a worker by the aliases of its function. Thread-safe; a call blocks its thread and ends when that is
 * interrupted.
 */
public final class SqlClient {

    private final Map<String, Database> databases = new HashMap<>();
    private final ObjLongConsumer<String> counters;
    private final ExecutorService threads = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("sql-", 1).factory());

    /**
     * @param redisUri an address that is never called
     * @param counters takes what is counted, by the statistic's name
     */
    public SqlClient(HandlerSettings settings, String redisUri, ObjLongConsumer<String> counters) {
        this.counters = counters;
        if (settings.databases().isEmpty()) {
            return;
        }
        Places places = new Places(settings.access(), redisUri);
        Path drivers = Path.of(settings.access().drivers());
        for (HandlerSettings.Database database : settings.databases()) {
            databases.put(database.name(), new Database(database, places, drivers, threads));
        }
    }

    /** @param nanos the longest that the call may take if its binding allows more */
    public SqlCall.Answer run(SqlCall call, long nanos) throws HostFailure {
        Database database = databases.get(call.binding());
        if (database == null) {
            throw HostFailure.sqlError("08003", "There is no database binding '%s'".formatted(call.binding()));
        }
        try {
            SqlCall.Answer answer = database.run(call, nanos);
            counters.accept("sql_success_count", 1);
            return answer;
        } catch (HostFailure e) {
            counters.accept("sql_failure_count", 1);
            if (e.name().equals(Database.TIMED_OUT)) {
                counters.accept("sql_timeout_count", 1);
            }
            throw e;
        }
    }

    /** Closes the connections. */
    public void close() {
        databases.values().forEach(Database::close);
        threads.shutdown();
    }
}
