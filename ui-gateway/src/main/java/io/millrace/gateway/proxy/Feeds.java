package io.millrace.gateway.proxy;

import java.util.List;
import java.util.Locale;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;

/** Recognizes requests for a feed: a response that stays open and waits for what happens next. */
final class Feeds {

    private Feeds() {}

    static boolean isFeed(ServerHttpRequest request) {
        String path = request.getURI().getRawPath();
        if (path.startsWith("/couch/") && path.endsWith("/_changes")) {
            String feed = request.getQueryParams().getFirst("feed");
            return feed != null && !feed.equalsIgnoreCase("normal");
        }
        List<String> accepted = request.getHeaders().getOrEmpty(HttpHeaders.ACCEPT);
        return accepted.stream()
                .map(types -> types.toLowerCase(Locale.ROOT))
                .anyMatch(types -> types.contains("text/event-stream") || types.contains("text/*"));
    }
}
