package io.millrace.worker.bindings;

import io.millrace.handler.host.HostFailure;
import io.millrace.handler.host.SqlCall;
import io.millrace.traces.Span;
import io.millrace.traces.TracesLimits;
import io.millrace.worker.report.Counters;
import io.millrace.worker.sql.SqlClient;
import io.millrace.workerprotocol.HandlerSettings;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The databases of a function, for all threads of its worker. */
public final class DatabaseBinding {

    private final SqlClient client;

    DatabaseBinding(HandlerSettings settings, String redisUri, Counters counters) {
        client = new SqlClient(settings, redisUri, counters::add);
    }

    /** @param by the invocation that waits for the end of the statement */
    SqlCall.Answer run(SqlCall call, @Nullable Invocation by) throws HostFailure {
        if (by == null) {
            throw HostFailure.sqlError("08003", "sql can be called only while an event is handled");
        }
        Trail trail = by.trail();
        Trail.Step step = trail == null
                ? null
                : trail.begin(
                        Span.Kind.REQUEST,
                        "sql",
                        Map.of("binding", call.binding(), "statement", TracesLimits.cut(call.statement())));
        return Trail.traced(step, () -> client.run(call, by.giveUpNanos() - System.nanoTime()));
    }

    void close() {
        client.close();
    }
}
