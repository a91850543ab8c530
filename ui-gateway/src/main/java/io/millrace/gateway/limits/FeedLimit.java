package io.millrace.gateway.limits;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;

/**
 * How many feeds to one service may be open, in all and for one client. A feed is a response that stays open and waits for what
 * happens next.
 */
public final class FeedLimit {

    private static final Pattern LIVE_QUERY_OR_TOPIC =
            Pattern.compile("/api/v1/(?:buckets/[^/]+(?:/scopes/[^/]+/collections/[^/]+)?/live|topics/[^/]+)");

    private final int max;
    private final int maxPerClient;
    private final Map<String, Integer> byClient = new HashMap<>();
    private int open;

    public FeedLimit(int max, int maxPerClient) {
        this.max = max;
        this.maxPerClient = maxPerClient;
    }

    /** Returns whether a request asks for a feed. */
    public static boolean isFeed(ServerHttpRequest request) {
        String path = request.getURI().getRawPath();
        if (path.startsWith("/couch/") && path.endsWith("/_changes")) {
            String feed = request.getQueryParams().getFirst("feed");
            return feed != null && !feed.equalsIgnoreCase("normal");
        }
        if (LIVE_QUERY_OR_TOPIC.matcher(path).matches()) {
            return true;
        }
        List<String> accepted = request.getHeaders().getOrEmpty(HttpHeaders.ACCEPT);
        return accepted.stream()
                .map(types -> types.toLowerCase(Locale.ROOT))
                .anyMatch(types -> types.contains("text/event-stream") || types.contains("text/*"));
    }

    /** Admits a feed, which {@link #leave} must end, or returns false. */
    public synchronized boolean enter(String client) {
        int own = byClient.getOrDefault(client, 0);
        if (open >= max || own >= maxPerClient) {
            return false;
        }
        byClient.put(client, own + 1);
        open++;
        return true;
    }

    public synchronized void leave(String client) {
        open--;
        byClient.computeIfPresent(client, (name, own) -> own == 1 ? null : own - 1);
    }

    public synchronized int open() {
        return open;
    }
}
