package io.millrace.gateway.proxy;

import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.server.adapter.DefaultServerWebExchange;
import org.springframework.web.server.handler.ExceptionHandlingWebHandler;
import org.springframework.web.server.i18n.AcceptHeaderLocaleContextResolver;
import org.springframework.web.server.session.DefaultWebSessionManager;
import reactor.core.publisher.Mono;

/**
 * Writes why a request could not be passed on, with the handlers of errors that the filters have. It does not send the request
 * through the filters, at whose end it would be passed on once more.
 */
@Component
final class PassedOnErrors {

    private final ObjectProvider<WebExceptionHandler> handlers;
    private final ObjectProvider<ServerCodecConfigurer> codecs;

    PassedOnErrors(ObjectProvider<WebExceptionHandler> handlers, ObjectProvider<ServerCodecConfigurer> codecs) {
        this.handlers = handlers;
        this.codecs = codecs;
    }

    /** Fails if the response has begun: the server closes the connection then, so that the client sees that it is incomplete. */
    Mono<Void> write(ServerHttpRequest request, ServerHttpResponse response, Throwable failure) {
        ServerWebExchange exchange = new DefaultServerWebExchange(
                request,
                response,
                new DefaultWebSessionManager(),
                codecs.getObject(),
                new AcceptHeaderLocaleContextResolver());
        List<WebExceptionHandler> ordered = handlers.orderedStream().toList();
        return new ExceptionHandlingWebHandler(failed -> Mono.error(failure), ordered).handle(exchange);
    }
}
