package io.millrace.accessspring;

import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Writes refusals as the API that was asked writes its errors. A service with several APIs declares a bean of its own. */
@FunctionalInterface
public interface Refusals {

    /** Writes status, headers and body. */
    Mono<Void> write(ServerWebExchange exchange, Refusal refusal);
}
