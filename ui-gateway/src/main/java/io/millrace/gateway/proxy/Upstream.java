package io.millrace.gateway.proxy;

import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * A service behind the gateway.
 *
 * @param name such as {@code eventing-service}; also the name of its circuit breaker
 * @param url where it listens, without a slash at the end
 * @param client asks it through the circuit breaker and time-outs, and fails with
 *     {@link io.millrace.gateway.GatewayException}; takes absolute URIs of {@link #uri}
 * @param bare asks it without them
 */
public record Upstream(String name, String url, WebClient client, WebClient bare) {

    /** Returns the address of a path at this service; both parts are taken as they are, percent codes included. */
    public URI uri(String rawPath, @Nullable String rawQuery) {
        return URI.create(url + rawPath + (rawQuery == null ? "" : "?" + rawQuery));
    }
}
