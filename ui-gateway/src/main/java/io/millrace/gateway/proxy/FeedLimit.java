package io.millrace.gateway.proxy;

import java.util.HashMap;
import java.util.Map;

/** How many feeds to one service may be open, in all and for one client. */
final class FeedLimit {

    private final int max;
    private final int maxPerClient;
    private final Map<String, Integer> byClient = new HashMap<>();
    private int open;

    FeedLimit(int max, int maxPerClient) {
        this.max = max;
        this.maxPerClient = maxPerClient;
    }

    /** Admits a feed, which {@link #leave} must end, or returns false. */
    synchronized boolean enter(String client) {
        int own = byClient.getOrDefault(client, 0);
        if (open >= max || own >= maxPerClient) {
            return false;
        }
        byClient.put(client, own + 1);
        open++;
        return true;
    }

    synchronized void leave(String client) {
        open--;
        byClient.computeIfPresent(client, (name, own) -> own == 1 ? null : own - 1);
    }

    synchronized int open() {
        return open;
    }
}
