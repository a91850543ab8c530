package io.millrace.metakvservice.audit;

import io.millrace.streams.store.EncodedEvent;
import io.millrace.streams.store.StreamStore.Tip;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** How far the copy of each trail is; what the unfold of the stream holds. */
record Trails(Map<String, Copied> byName) {

    private static final String TYPE = "Trails";
    private static final JsonMapper JSON = JsonMapper.shared();

    /**
     * @param sequence that of the last line
     * @param index where the last line is in the stream
     */
    record Copied(long sequence, long index) {}

    static Trails of(Tip tip) {
        Map<String, Copied> trails = new TreeMap<>();
        if (!tip.unfolds().isEmpty()) {
            JsonNode json = JSON.readTree(tip.unfolds().getFirst().event().data());
            json.propertyStream()
                    .forEach(trail -> trails.put(
                            trail.getKey(),
                            new Copied(
                                    trail.getValue().path("sequence").asLong(),
                                    trail.getValue().path("index").asLong())));
        }
        return new Trails(trails);
    }

    /** Returns what marks a line in the stream as one of a trail. */
    static String mark(String trail) {
        return JSON.writeValueAsString(Map.of("trail", trail));
    }

    long last(String trail) {
        Copied known = byName.get(trail);
        return known == null ? 0 : known.sequence();
    }

    Trails with(String trail, long sequence, long index) {
        Map<String, Copied> more = new TreeMap<>(byName);
        more.put(trail, new Copied(sequence, index));
        return new Trails(more);
    }

    /** Returns those with lines that are left: containers come and go, and the trails of old ones must not stay for ever. */
    Trails since(long base) {
        Map<String, Copied> left = new TreeMap<>(byName);
        left.values().removeIf(copied -> copied.index() < base);
        return new Trails(left);
    }

    EncodedEvent unfold(Instant time) {
        ObjectNode json = JSON.createObjectNode();
        byName.forEach((trail, copied) ->
                json.putObject(trail).put("sequence", copied.sequence()).put("index", copied.index()));
        return EncodedEvent.of(TYPE, json.toString(), time);
    }
}
