package io.millrace.metakv;

import io.millrace.metakv.MetakvClient.MetakvEvent;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a watch has emitted so far. It outlives connections, so that after a new full list only the differences are emitted.
 * Not thread-safe.
 */
final class WatchState {

    private final JsonMapper json;
    private final Map<String, String> revs = new HashMap<>();
    private @Nullable Set<String> listed;
    private @Nullable String lastId;
    private boolean readyTold;

    WatchState(JsonMapper json) {
        this.json = json;
    }

    /** Returns the position to resume from, or null to start with a full list. */
    @Nullable
    String lastId() {
        return lastId;
    }

    /** Processes one received event and returns the events to emit. */
    List<MetakvEvent> accept(SseParser.SseEvent event) {
        var told = new ArrayList<MetakvEvent>();
        switch (event.name()) {
            case "reset" -> {
                listed = new HashSet<>();
                lastId = null;
            }
            case "ready" -> endListing(told);
            case "entry" -> entry(json.readTree(event.data()), told);
            default -> {} // a newer service may send more kinds
        }
        if (event.id() != null) {
            lastId = event.id();
        }
        return told;
    }

    private void entry(JsonNode node, List<MetakvEvent> told) {
        String path = node.path("path").asString();
        if (!node.path("value").isString()) {
            if (revs.remove(path) != null) {
                told.add(new MetakvEvent.Deleted(path));
            }
            return;
        }
        if (listed != null) {
            listed.add(path);
        }
        String rev = node.path("rev").asString();
        if (!rev.equals(revs.put(path, rev))) {
            byte[] value = Base64.getDecoder().decode(node.path("value").asString());
            told.add(new MetakvEvent.Changed(new MetakvEntry(path, value, rev)));
        }
    }

    private void endListing(List<MetakvEvent> told) {
        Set<String> there = listed;
        if (there != null) {
            List<String> gone = revs.keySet().stream()
                    .filter(path -> !there.contains(path))
                    .sorted()
                    .toList();
            for (String path : gone) {
                revs.remove(path);
                told.add(new MetakvEvent.Deleted(path));
            }
            listed = null;
        }
        if (!readyTold) {
            readyTold = true;
            told.add(new MetakvEvent.Ready());
        }
    }
}
