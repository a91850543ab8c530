package io.millrace.gateway.limits;

import io.millrace.accessspring.Doors;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * How many feeds to one service may be open, in all and for one client. A feed is a response that stays open and waits for what
 * happens next.
 */
public final class FeedLimit {

    private static final List<PathPattern> ALWAYS = Stream.of(
                    "/api/v1/buckets/{bucket}/live",
                    "/api/v1/buckets/{bucket}/scopes/{scope}/collections/{collection}/live",
                    "/api/v1/topics/{topic}",
                    "/api/v1/functions/{name}/log")
            .map(PathPatternParser.defaultInstance::parse)
            .toList();

    private static final PathPattern CHANGES = PathPatternParser.defaultInstance.parse("/couch/{database}/_changes/**");

    private final int max;
    private final int maxPerClient;
    private final Map<String, Integer> byClient = new HashMap<>();
    private int open;

    public FeedLimit(int max, int maxPerClient) {
        this.max = max;
        this.maxPerClient = maxPerClient;
    }

    /** Returns whether a request asks for a feed, or may: paths are read as routes read them, decoded and without parameters. */
    public static boolean isFeed(ServerHttpRequest request) {
        PathContainer path = Doors.withoutEmptySegments(request.getPath().pathWithinApplication());
        if (CHANGES.matches(path)) {
            return request.getQueryParams().entrySet().stream()
                    .filter(parameter -> parameter.getKey().equalsIgnoreCase("feed"))
                    .flatMap(parameter -> parameter.getValue().stream())
                    .anyMatch(feed -> !"normal".equalsIgnoreCase(feed));
        }
        if (ALWAYS.stream().anyMatch(pattern -> pattern.matches(path))) {
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
