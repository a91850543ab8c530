package io.millrace.gateway.proxy;

import io.millrace.gateway.fastpath.ServicePool;
import io.millrace.gateway.limits.FeedLimit;
import io.millrace.gateway.limits.InFlightLimit;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * A service behind the gateway.
 *
 * @param name such as {@code eventing-service}; also the name of its circuit breaker
 * @param url its base URL, without a slash at the end
 * @param client calls it with the circuit breaker and time-outs, and fails with
 *     {@link io.millrace.gateway.GatewayException}; takes absolute URIs of {@link #uri}
 * @param requests the connections of requests that are passed on
 * @param feeds those of feeds, which stay open and must not take those of requests
 * @param guard guards calls over these connections; {@code client} has it built in
 * @param pool the connections of the fast path
 * @param bare calls it without circuit breaker and time-outs
 * @param inFlight admits requests
 * @param openFeeds admits feeds
 */
public record Upstream(
        String name,
        String url,
        WebClient client,
        Connections requests,
        Connections feeds,
        UpstreamGuard guard,
        ServicePool pool,
        WebClient bare,
        InFlightLimit inFlight,
        FeedLimit openFeeds) {

    /** Returns the name of all its paths in metrics. */
    String pattern() {
        return "/" + name + "/**";
    }

    /** Returns the address of a path at this service; both parts are used verbatim, percent-encoded. */
    String target(String rawPath, @Nullable String rawQuery) {
        return url + rawPath + (rawQuery == null ? "" : "?" + rawQuery);
    }

    /** Returns the URI of a path at this service; both parts are used verbatim, percent-encoded. */
    public URI uri(String rawPath, @Nullable String rawQuery) {
        return URI.create(target(rawPath, rawQuery));
    }
}
