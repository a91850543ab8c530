package io.millrace.eventing.http.requests;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.accessspring.Gate;
import io.millrace.eventing.http.requests.FunctionCalls.Admitted;
import io.millrace.httpdoor.CountedExchanges;
import io.millrace.httpdoor.RequestMeters;
import io.millrace.webguard.WebGuard;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.HttpHandlerDecoratorFactory;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.adapter.DefaultServerWebExchange;
import org.springframework.web.server.handler.ExceptionHandlingWebHandler;
import org.springframework.web.server.i18n.AcceptHeaderLocaleContextResolver;
import org.springframework.web.server.i18n.LocaleContextResolver;
import org.springframework.web.server.session.DefaultWebSessionManager;
import org.springframework.web.server.session.WebSessionManager;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import reactor.core.publisher.Mono;

/**
 * Calls functions in front of the filters, if guard, gate and function would let the request through and have nothing to add: the
 * filters, the observation and the search for a handler cost more than the call. All others go to the filters, which alone
 * refuse, record, and speak with pages of other origins; {@link RequestController} is at their end.
 */
@Component
final class RequestsInFront implements HttpHandlerDecoratorFactory {

    private static final PathPattern PATTERN = PathPatternParser.defaultInstance.parse(RequestController.PATTERN);

    private final FunctionCalls calls;
    private final WebGuard guard;
    private final Gate gate;
    private final RequestMeters meters;
    private final ObjectProvider<WebExceptionHandler> errors;
    private final ServerCodecConfigurer codecs;
    private final WebFilter heldBytes;
    private final CountedExchanges countedExchanges;
    private final WebSessionManager sessions = new DefaultWebSessionManager();
    private final LocaleContextResolver locales = new AcceptHeaderLocaleContextResolver();

    RequestsInFront(
            FunctionCalls calls,
            WebGuard guard,
            Gate gate,
            MeterRegistry meters,
            ObjectProvider<WebExceptionHandler> errors,
            ServerCodecConfigurer codecs,
            @Qualifier("heldBytes") WebFilter heldBytes,
            CountedExchanges countedExchanges) {
        this.calls = calls;
        this.guard = guard;
        this.gate = gate;
        this.meters = new RequestMeters(meters);
        this.errors = errors;
        this.codecs = codecs;
        this.heldBytes = heldBytes;
        this.countedExchanges = countedExchanges;
    }

    @Override
    public HttpHandler apply(HttpHandler filters) {
        return (request, response) -> {
            String name = name(request);
            if (name == null || !guard.passes(request)) {
                return filters.handle(request, response);
            }
            ServerWebExchange exchange = new DefaultServerWebExchange(request, response, sessions, codecs, locales);
            Optional<Admitted> admitted = gate.admits(exchange) ? calls.admitted(name, exchange) : Optional.empty();
            return admitted.isEmpty() ? filters.handle(request, response) : call(admitted.get(), exchange);
        };
    }

    /** Returns the name of the function, or null if {@link RequestController} is not there for the request. */
    private static @Nullable String name(ServerHttpRequest request) {
        PathPattern.PathMatchInfo match = RequestController.METHODS.contains(request.getMethod())
                ? PATTERN.matchAndExtract(request.getPath().pathWithinApplication())
                : null;
        return match == null ? null : match.getUriVariables().get("name");
    }

    private Mono<Void> call(Admitted admitted, ServerWebExchange exchange) {
        ServerHttpRequest request = exchange.getRequest();
        ServerHttpResponse response = exchange.getResponse();
        response.beforeCommit(() -> Mono.fromRunnable(() -> WebGuard.protect(request, response.getHeaders())));
        var failed = new Failure();
        long began = System.nanoTime();
        return counted(admitted, exchange)
                .onErrorResume(failure -> {
                    failed.failure = failure;
                    return write(exchange, failure);
                })
                .then(Mono.defer(response::setComplete)) // which alone sends a response without a body
                .doFinally(end -> meters.ended(
                        RequestController.PATTERN,
                        request.getMethod(),
                        response.getStatusCode(),
                        end,
                        failed.failure,
                        System.nanoTime() - began));
    }

    /** Calls the function behind the filters that count what is in memory. */
    private Mono<Void> counted(Admitted admitted, ServerWebExchange exchange) {
        return heldBytes.filter(
                exchange, held -> countedExchanges.filter(held, each -> Mono.defer(() -> calls.call(admitted, each))));
    }

    private Mono<Void> write(ServerWebExchange exchange, Throwable failure) {
        List<WebExceptionHandler> handlers = errors.orderedStream().toList();
        return new ExceptionHandlingWebHandler(failed -> Mono.error(failure), handlers).handle(exchange);
    }

    /** Why a function has no response. */
    private static final class Failure {
        private volatile @Nullable Throwable failure;
    }
}
