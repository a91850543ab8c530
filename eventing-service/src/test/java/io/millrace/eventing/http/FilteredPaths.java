package io.millrace.eventing.http;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Remembers which paths came to the filters. */
final class FilteredPaths implements WebFilter, Ordered {

    private final Set<String> seen = ConcurrentHashMap.newKeySet();

    boolean contains(String path) {
        return seen.contains(path);
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        seen.add(exchange.getRequest().getPath().value());
        return chain.filter(exchange);
    }
}
