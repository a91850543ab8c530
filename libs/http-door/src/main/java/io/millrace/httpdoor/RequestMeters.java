package io.millrace.httpdoor;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import reactor.core.publisher.SignalType;

/**
 * Counts requests that are answered in front of Spring's filters, in the metric and with the labels in which Spring's observation
 * counts all others. Thread-safe.
 */
public final class RequestMeters {

    private static final String METRIC = "http.server.requests";
    private static final String NONE = "none";
    private static final String UNKNOWN = "UNKNOWN";
    private static final List<HttpMethod> METHODS = List.of(HttpMethod.values());

    private record Kind(
            String path, String method, @Nullable HttpStatusCode status, String exception) {}

    private final MeterRegistry registry;
    private final Map<Kind, Timer> timers = new ConcurrentHashMap<>();

    public RequestMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    /**
     * Counts a request that has ended.
     *
     * @param pattern the pattern of its path, one of few
     * @param end a cancelled request is one whose client has gone
     */
    public void ended(
            String pattern,
            HttpMethod method,
            @Nullable HttpStatusCode status,
            SignalType end,
            @Nullable Throwable failure,
            long nanos) {
        Kind kind = new Kind(
                pattern,
                METHODS.contains(method) ? method.name() : UNKNOWN, // a client can make up any number of others
                end == SignalType.CANCEL ? null : status,
                failure == null ? NONE : failure.getClass().getSimpleName());
        timers.computeIfAbsent(kind, this::timer).record(nanos, TimeUnit.NANOSECONDS);
    }

    private Timer timer(Kind kind) {
        HttpStatusCode status = kind.status();
        return Timer.builder(METRIC)
                .tag("exception", kind.exception())
                .tag("error", kind.exception())
                .tag("method", kind.method())
                .tag("outcome", outcome(status))
                .tag("status", status == null ? UNKNOWN : Integer.toString(status.value()))
                .tag("uri", kind.path())
                .register(registry);
    }

    private static String outcome(@Nullable HttpStatusCode status) {
        HttpStatus.Series series = status == null ? null : HttpStatus.Series.resolve(status.value());
        if (series == null) {
            return UNKNOWN;
        }
        return series == HttpStatus.Series.SUCCESSFUL ? "SUCCESS" : series.name();
    }
}
