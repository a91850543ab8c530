package io.millrace.gateway.proxy;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.server.reactive.observation.ServerRequestObservationContext;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Passes those requests on that {@link ForwardingHandler} leaves to guard and gate, as soon as these have let them through. Paths
 * that the gateway shares with a service have routes, see {@link Routes}.
 */
@Component
@Order(Ordered.LOWEST_PRECEDENCE)
final class ForwardingFilter implements WebFilter {

    private final Upstreams upstreams;
    private final Proxy proxy;

    ForwardingFilter(Upstreams upstreams, Proxy proxy) {
        this.upstreams = upstreams;
        this.proxy = proxy;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        Upstream upstream = upstreams.of(exchange.getRequest());
        if (upstream == null) {
            return chain.filter(exchange);
        }
        ServerRequestObservationContext.findCurrent(exchange.getAttributes())
                .ifPresent(observed -> observed.setPathPattern(upstream.pattern()));
        return proxy.pipe(Proxy.Passage.of(exchange), upstream);
    }
}
