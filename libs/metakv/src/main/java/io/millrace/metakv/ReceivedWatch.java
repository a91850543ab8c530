package io.millrace.metakv;

import io.millrace.metakv.MetakvClient.MetakvEvent;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A watch as it comes over HTTP, connection after connection. Not thread-safe. */
final class ReceivedWatch {

    private final JsonMapper json;
    private final WatchState state = new WatchState();
    private @Nullable String lastId;

    ReceivedWatch(JsonMapper json) {
        this.json = json;
    }

    /** Returns the position to resume from, or null to start with a full list. */
    @Nullable
    String lastId() {
        return lastId;
    }

    /** Processes one received event and returns the events to emit. */
    List<MetakvEvent> accept(SseParser.SseEvent event) {
        List<MetakvEvent> told = List.of();
        switch (event.name()) {
            case "reset" -> {
                state.reset();
                lastId = null;
            }
            case "ready" -> told = state.ready();
            case "entry" -> told = entry(json.readTree(event.data()));
            default -> {} // a newer service may send more kinds
        }
        if (event.id() != null) {
            lastId = event.id();
        }
        return told;
    }

    private List<MetakvEvent> entry(JsonNode node) {
        String path = node.path("path").asString();
        if (!node.path("value").isString()) {
            return state.deleted(path);
        }
        byte[] value = Base64.getDecoder().decode(node.path("value").asString());
        return state.changed(new MetakvEntry(path, value, node.path("rev").asString()));
    }
}
