package io.millrace.gateway.proxy;

import java.util.Map;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.server.reactive.observation.ServerRequestObservationContext;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Passes requests on as soon as guard and gate have let them through: looking for a route would cost more than all else. Paths
 * that the gateway shares with a service have routes, see {@link Routes}.
 */
@Component
@Order(Ordered.LOWEST_PRECEDENCE)
final class ForwardingFilter implements WebFilter {

    private final Map<String, Upstream> services;
    private final Proxy proxy;

    ForwardingFilter(Upstreams upstreams, Proxy proxy) {
        this.services = ForwardedPaths.table(
                upstreams.eventing(), upstreams.functions(), upstreams.subdoc(), upstreams.metakv());
        this.proxy = proxy;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        Upstream upstream =
                ForwardedPaths.find(services, exchange.getRequest().getPath().pathWithinApplication());
        if (upstream == null) {
            return chain.filter(exchange);
        }
        ServerRequestObservationContext.findCurrent(exchange.getAttributes())
                .ifPresent(observed -> observed.setPathPattern("/" + upstream.name() + "/**"));
        return proxy.pipe(exchange, upstream);
    }
}
