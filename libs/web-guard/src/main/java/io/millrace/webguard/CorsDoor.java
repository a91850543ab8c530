package io.millrace.webguard;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.reactive.CorsUtils;
import org.springframework.web.cors.reactive.DefaultCorsProcessor;
import org.springframework.web.server.ServerWebExchange;

/** The doors for pages of other origins, which the operator names: the CouchDB API, and functions. */
final class CorsDoor {

    private static final List<String> METHODS = List.of("GET", "HEAD", "PUT", "POST", "PATCH", "DELETE", "COPY");

    /** What clients of the CouchDB API and of functions send. */
    private static final List<String> SENT = List.of(
            "accept",
            "authorization",
            "content-type",
            "destination",
            "idempotency-key",
            "if-match",
            "if-none-match",
            "if-range",
            "last-event-id",
            "range",
            "traceparent",
            "tracestate",
            "x-http-method-override",
            "x-requested-with");

    /** What they need to go on from a response; browsers show a page a few other headers without being asked to. */
    private static final List<String> EXPOSED = List.of(
            "accept-ranges",
            "allow",
            "content-disposition",
            "content-range",
            "content-type",
            "etag",
            "idempotency-replayed",
            "location",
            "retry-after",
            "x-couch-request-id");

    private static final Duration PREFLIGHT_VALIDITY = Duration.ofMinutes(10);

    private final Set<Origin> origins = new HashSet<>();
    private final CorsConfiguration configuration = new CorsConfiguration();
    private final DefaultCorsProcessor processor = new DefaultCorsProcessor();

    /** @throws IllegalArgumentException if one is not an origin */
    CorsDoor(List<String> origins) {
        for (String text : origins) {
            if (!text.isBlank()) {
                this.origins.add(checked(text));
                configuration.addAllowedOrigin(text.strip());
            }
        }
        configuration.setAllowedMethods(METHODS);
        configuration.setAllowedHeaders(SENT);
        configuration.setExposedHeaders(EXPOSED);
        configuration.setAllowCredentials(true);
        configuration.setMaxAge(PREFLIGHT_VALIDITY);
    }

    private static Origin checked(String text) {
        Origin origin = Origin.parse(text);
        if (origin == null) {
            throw new IllegalArgumentException(
                    "MILLRACE_CORS_ORIGINS has '%s', which is not an origin; write https://host or http://host:port, separated by commas; '*' is not supported"
                            .formatted(text.strip()));
        }
        return origin;
    }

    boolean admits(ServerHttpRequest request, Origin origin) {
        String path = request.getPath().value();
        return (Faces.isCouch(path) || Faces.isFunction(path)) && origins.contains(origin);
    }

    /** Adds the CORS headers of an admitted origin; returns true if that is the whole response, which it is to a preflight. */
    boolean answers(ServerWebExchange exchange) {
        processor.process(configuration, exchange);
        return CorsUtils.isPreFlightRequest(exchange.getRequest());
    }
}
