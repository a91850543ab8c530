package io.millrace.gateway.proxy;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.millrace.gateway.limits.FeedLimit;
import io.millrace.gateway.limits.InFlightLimit;
import org.springframework.stereotype.Component;

/** What is under way at each service, and how much may be. */
@Component
final class UpstreamMeters implements MeterBinder {

    private final Upstreams upstreams;

    UpstreamMeters(Upstreams upstreams) {
        this.upstreams = upstreams;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        bind(registry, upstreams.eventing(), "eventing-service");
        bind(registry, upstreams.functions(), "functions");
        bind(registry, upstreams.subdoc(), "subdoc-service");
        bind(registry, upstreams.metakv(), "metakv-service");
    }

    private static void bind(MeterRegistry registry, Upstream upstream, String to) {
        Gauge.builder("millrace.gateway.requests", upstream.inFlight(), InFlightLimit::running)
                .description("Requests in flight to a service, without feeds")
                .tag("to", to)
                .register(registry);
        Gauge.builder("millrace.gateway.requests.limit", upstream.inFlight(), InFlightLimit::limit)
                .description("The most requests in flight that the service can take now")
                .tag("to", to)
                .register(registry);
        Gauge.builder("millrace.gateway.feeds", upstream.openFeeds(), FeedLimit::open)
                .description("Open feeds of a service")
                .tag("to", to)
                .register(registry);
    }
}
