package io.millrace.launcher.command;

import io.millrace.launcher.gateway.GatewayClient;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** The audit trails in the stream of a running suite. */
final class CopiedTrails {

    private static final String WHAT = "read the stream of the audit trails";

    private final GatewayClient gateway;

    CopiedTrails(GatewayClient gateway) {
        this.gateway = gateway;
    }

    /** Returns the sequence of the last line of each trail, by its name. */
    Map<String, Long> sequences() {
        Map<String, Long> trails = new TreeMap<>();
        gateway.require(gateway.get("/api/v1/audit/trails"), WHAT)
                .json()
                .path("trails")
                .forEach(one -> trails.put(
                        one.path("trail").asString(), one.path("sequence").asLong()));
        return trails;
    }

    /** Returns the lines of a trail, page by page. */
    Iterator<String> lines(String trail) {
        return new Iterator<>() {

            private final Deque<String> page = new ArrayDeque<>();
            private long since;
            private boolean more = true;

            @Override
            public boolean hasNext() {
                while (page.isEmpty() && more) {
                    String path = "/api/v1/audit?max=1000&since=" + since + "&trail=" + GatewayClient.segment(trail);
                    JsonNode answer = gateway.require(gateway.get(path), WHAT).json();
                    answer.path("lines").forEach(line -> page.add(line.toString()));
                    since = answer.path("next").asLong();
                    more = answer.path("more").asBoolean();
                }
                return !page.isEmpty();
            }

            @Override
            public String next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                return page.remove();
            }
        };
    }
}
