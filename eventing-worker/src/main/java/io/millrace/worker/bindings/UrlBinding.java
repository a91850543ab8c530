package io.millrace.worker.bindings;

import io.millrace.handler.host.HostFailure;
import io.millrace.handler.host.HttpCall;
import io.millrace.traces.Span;
import io.millrace.traces.TracesLimits;
import io.millrace.worker.curl.CurlClient;
import io.millrace.worker.report.Counters;
import io.millrace.workerprotocol.HandlerSettings;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The URLs of a function, for all threads of its worker. */
public final class UrlBinding {

    private final CurlClient client;

    UrlBinding(HandlerSettings settings, String redisUri, Counters counters) {
        client = new CurlClient(settings, redisUri, counters::add);
    }

    /** @param by the invocation that waits for the answer */
    HttpCall.Answer send(HttpCall call, @Nullable Invocation by) throws HostFailure {
        if (by == null) {
            throw HostFailure.curlError("curl can be called only while an event is handled");
        }
        long left = by.giveUpNanos() - System.nanoTime();
        Trail trail = by.trail();
        if (trail == null) {
            return client.send(call, left, null);
        }
        Trail.Step step = trail.begin(
                Span.Kind.REQUEST, call.method(), Map.of("binding", call.binding(), "path", withoutQuery(call.path())));
        return Trail.traced(step, () -> {
            HttpCall.Answer answer = client.send(call, left, step.context().header());
            step.add("status", Integer.toString(answer.status()));
            return answer;
        });
    }

    /** A query may hold what does not belong into a trace. */
    private static String withoutQuery(String path) {
        int mark = path.indexOf('?');
        return TracesLimits.cut(mark < 0 ? path : path.substring(0, mark));
    }

    void close() {
        client.close();
    }
}
