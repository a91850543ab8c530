package io.millrace.gateway.proxy;

import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.reactor.circuitbreaker.operator.CircuitBreakerOperator;
import io.millrace.gateway.GatewayException;
import io.millrace.gateway.GatewayException.Code;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import reactor.core.publisher.Mono;

/**
 * Guards the calls to one service with a time-out and a circuit breaker, and turns their failures into errors for the
 * caller. It looks at the status and headers of a response only; bodies stream past it.
 */
final class UpstreamGuard implements ExchangeFilterFunction {

    /** When to retry after a failure that may be short. */
    private static final Duration SOON = Duration.ofSeconds(2);

    private final String service;
    private final String url;
    private final CircuitBreaker breaker;
    private final Duration patience;
    private final LivenessWatch liveness;

    UpstreamGuard(String service, String url, CircuitBreaker breaker, Duration patience, LivenessWatch liveness) {
        this.service = service;
        this.url = url;
        this.breaker = breaker;
        this.patience = patience;
        this.liveness = liveness;
    }

    @Override
    public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
        return Mono.defer(() -> guarded(next.exchange(request), new Upload()));
    }

    /**
     * Guards one call until its response begins.
     *
     * @param call fails with a {@link WebClientRequestException} when there is no response
     * @param upload the progress of its body
     */
    <T> Mono<T> guarded(Mono<T> call, Upload upload) {
        return liveness.watch(call)
                .timeout(upload.stalled(patience))
                .onErrorMap(
                        TimeoutException.class,
                        timeout -> !(timeout instanceof LivenessWatch.Stopped) && upload.clientIsLate()
                                ? GatewayException.clientTimeout()
                                : timeout)
                .onErrorMap(failure -> upload.clientFailed() ? GatewayException.clientTimeout() : failure)
                .transformDeferred(CircuitBreakerOperator.of(breaker))
                .onErrorMap(this::translated);
    }

    /**
     * Whether a failure says that the service cannot be reached or does not answer. Responses do not count, not even
     * those with 5xx: they are about single requests, and one client could shut out all others with bad ones.
     */
    static boolean isOutage(Throwable failure) {
        return failure instanceof TimeoutException
                || failure instanceof WebClientRequestException broken && broken.getCause() instanceof IOException;
    }

    private Throwable translated(Throwable failure) {
        return switch (failure) {
            case GatewayException known -> known;
            case CallNotPermittedException open -> suspended(open);
            case LivenessWatch.Stopped stopped ->
                failed(
                        Code.UPSTREAM_TIMEOUT,
                        "%s has stopped answering: not only this request, but all. It may still carry it out."
                                .formatted(service),
                        "Look at the process of the service and at its log. Check whether the request was carried out"
                                + " before you repeat it.",
                        SOON,
                        stopped);
            case TimeoutException late ->
                failed(
                        Code.UPSTREAM_TIMEOUT,
                        "%s did not answer within %d seconds. It may still carry out the request."
                                .formatted(service, patience.toSeconds()),
                        "Check whether the request was carried out before you repeat it. Request less at a time, or"
                                + " raise MILLRACE_GATEWAY_ANSWERTIMEOUT.",
                        SOON,
                        late);
            case WebClientRequestException broken
            when notConnected(broken.getCause()) ->
                failed(
                        Code.UPSTREAM_DOWN,
                        "%s is down: it accepts no connections at %s. The request was not carried out."
                                .formatted(service, url),
                        "Start the service, or set MILLRACE_%s_URL to its address."
                                .formatted(service.replace("-service", "").toUpperCase(Locale.ROOT)),
                        SOON,
                        broken);
            case WebClientRequestException broken -> broken(broken.getMostSpecificCause());
            default -> failure;
        };
    }

    /** Returns the error of a response that the service has begun and not ended. */
    GatewayException broken(Throwable failure) {
        return failed(
                Code.UPSTREAM_BROKEN,
                "The connection to %s broke (%s). The request may have been carried out."
                        .formatted(service, failure.getMessage()),
                "Check whether the request was carried out before you repeat it.",
                SOON,
                failure);
    }

    private GatewayException suspended(CallNotPermittedException open) {
        Duration pause = Duration.ofMillis(breaker.getCircuitBreakerConfig()
                .getWaitIntervalFunctionInOpenState()
                .apply(1));
        return failed(
                Code.UPSTREAM_SUSPENDED,
                "%s failed repeatedly, so the gateway sends it no requests for %d seconds. The request was not carried out."
                        .formatted(service, pause.toSeconds()),
                "Look at the log of the service and at /actuator/health, and repeat the request after the pause.",
                pause,
                open);
    }

    private static boolean notConnected(@Nullable Throwable cause) {
        return cause instanceof ConnectException || cause instanceof UnknownHostException;
    }

    private GatewayException failed(Code code, String detail, String action, Duration retryAfter, Throwable cause) {
        return GatewayException.upstream(code, service, detail, action, retryAfter, cause);
    }
}
