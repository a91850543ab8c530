package io.millrace.eventing.http;

import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Sets the header {@code status: 0} on every response of this API; an error replaces it. */
@Component
class StatusHeader implements WebFilter {

    /** Returns false for what Spring serves: health, metrics and the OpenAPI document. */
    static boolean concerns(ServerWebExchange exchange) {
        String path = exchange.getRequest().getPath().value();
        return !(path.startsWith("/actuator")
                || path.startsWith("/v3/")
                || path.startsWith("/webjars")
                || path.startsWith("/swagger-ui"));
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (concerns(exchange)) {
            exchange.getResponse().getHeaders().set(Answers.STATUS_HEADER, "0");
        }
        return chain.filter(exchange);
    }
}
