package io.millrace.gateway.proxy;

import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.reactor.circuitbreaker.operator.CircuitBreakerOperator;
import io.millrace.gateway.GatewayException;
import io.millrace.gateway.GatewayException.Code;
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
 * Stands before a service: gives up when it does not begin to answer, stops asking while it fails, and says what is
 * wrong. Looks at the head of the answer only; bodies stream past it.
 */
final class UpstreamGuard implements ExchangeFilterFunction {

    /** When to try again after a failure that may be over soon. */
    private static final Duration SOON = Duration.ofSeconds(2);

    private final String service;
    private final String url;
    private final CircuitBreaker breaker;
    private final Duration patience;

    UpstreamGuard(String service, String url, CircuitBreaker breaker, Duration patience) {
        this.service = service;
        this.url = url;
        this.breaker = breaker;
        this.patience = patience;
    }

    @Override
    public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
        return Mono.defer(() -> {
            Upload upload = (Upload) request.attribute(Upload.ATTRIBUTE).orElseGet(Upload::new);
            return next.exchange(request)
                    .timeout(upload.stalled(patience))
                    .onErrorMap(
                            TimeoutException.class,
                            timeout -> upload.clientIsLate() ? GatewayException.clientTimeout() : timeout)
                    .transformDeferred(CircuitBreakerOperator.of(breaker))
                    .onErrorMap(this::translated);
        });
    }

    private Throwable translated(Throwable failure) {
        return switch (failure) {
            case GatewayException known -> known;
            case CallNotPermittedException open -> {
                Duration pause = Duration.ofMillis(breaker.getCircuitBreakerConfig()
                        .getWaitIntervalFunctionInOpenState()
                        .apply(1));
                yield failed(
                        Code.UPSTREAM_SUSPENDED,
                        "%s failed again and again, so it is left alone for %d seconds. Look at its log and at"
                                + " /actuator/health; it is asked again by itself.",
                        pause,
                        open,
                        pause.toSeconds());
            }
            case TimeoutException late ->
                failed(
                        Code.UPSTREAM_TIMEOUT,
                        "%s did not answer within %d seconds. It may still carry out the request: look before you"
                                + " repeat it. Ask for less at a time, or give it longer with"
                                + " MILLRACE_GATEWAY_ANSWERTIMEOUT.",
                        SOON,
                        late,
                        patience.toSeconds());
            case WebClientRequestException broken
            when notConnected(broken.getCause()) ->
                failed(
                        Code.UPSTREAM_DOWN,
                        "%s is down: nothing answers at %s. Start it, or set %s to where it runs. Nothing was done.",
                        SOON,
                        broken,
                        url,
                        "MILLRACE_" + service.replace("-service", "").toUpperCase(Locale.ROOT) + "_URL");
            case WebClientRequestException broken ->
                failed(
                        Code.UPSTREAM_BROKEN,
                        "The connection to %s broke (%s). It may have carried out the request: look before you repeat"
                                + " it.",
                        SOON,
                        broken,
                        String.valueOf(broken.getMostSpecificCause().getMessage()));
            default -> failure;
        };
    }

    private static boolean notConnected(@Nullable Throwable cause) {
        return cause instanceof ConnectException || cause instanceof UnknownHostException;
    }

    private GatewayException failed(Code code, String message, Duration retryAfter, Throwable cause, Object... more) {
        Object[] words = new Object[more.length + 1];
        words[0] = service;
        System.arraycopy(more, 0, words, 1, more.length);
        return GatewayException.upstream(code, service, message.formatted(words), retryAfter, cause);
    }
}
