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

/** The one door for pages of other origins: the CouchDB API, for the origins that the operator names. */
final class CorsDoor {

    private static final List<String> METHODS = List.of("GET", "HEAD", "PUT", "POST", "DELETE");

    /** The ones that CouchDB lets pass and exposes. */
    private static final List<String> SENT =
            List.of("accept", "authorization", "content-type", "if-match", "if-none-match", "idempotency-key", "range");

    private static final List<String> EXPOSED = List.of("content-type", "accept-ranges", "etag", "retry-after");

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
        return Faces.isCouch(request.getPath().value()) && origins.contains(origin);
    }

    /** Adds the CORS headers of an admitted origin; returns true if that is the whole response, which it is to a preflight. */
    boolean answers(ServerWebExchange exchange) {
        processor.process(configuration, exchange);
        return CorsUtils.isPreFlightRequest(exchange.getRequest());
    }
}
