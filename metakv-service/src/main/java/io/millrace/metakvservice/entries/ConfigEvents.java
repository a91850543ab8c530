package io.millrace.metakvservice.entries;

import io.millrace.streams.store.EncodedEvent;
import io.millrace.streams.store.StreamId;
import io.millrace.streams.store.StreamName;
import java.time.Instant;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The streams of configuration entries: their names, and their events as JSON. */
final class ConfigEvents {

    private static final String CATEGORY = "Config";
    private static final String SET = "ValueSet";
    private static final String DELETED = "ValueDeleted";

    private ConfigEvents() {}

    static StreamName stream(String path) {
        return StreamName.create(CATEGORY, new StreamId(path));
    }

    /** Returns the path of an entry's stream from the id of its document, or null for any other document. */
    static @Nullable String path(String documentId) {
        return documentId.startsWith(CATEGORY + "-/") ? documentId.substring(CATEGORY.length() + 1) : null;
    }

    static EncodedEvent set(byte[] value, boolean sensitive, Instant time, @Nullable String changedBy) {
        String data = "{\"value\":\"" + Base64.getEncoder().encodeToString(value) + '"'
                + (sensitive ? ",\"sensitive\":true}" : "}");
        return withAuthor(EncodedEvent.of(SET, data, time), changedBy);
    }

    static EncodedEvent deleted(Instant time, @Nullable String changedBy) {
        return withAuthor(EncodedEvent.of(DELETED, "{}", time), changedBy);
    }

    private static EncodedEvent withAuthor(EncodedEvent event, @Nullable String changedBy) {
        return changedBy == null
                ? event
                : event.withMeta(
                        JsonMapper.shared()
                                .createObjectNode()
                                .put("changedBy", changedBy)
                                .toString(),
                        EncodedEvent.Encoding.JSON);
    }

    static EntryChange read(String path, long version, long seqno, EncodedEvent event) {
        String meta = event.meta();
        String changedBy = meta == null
                ? null
                : JsonMapper.shared().readTree(meta).path("changedBy").asString(null);
        if (event.type().equals(DELETED)) {
            return new EntryChange(path, version, seqno, null, false, event.time(), changedBy);
        }
        JsonNode data = JsonMapper.shared().readTree(event.data());
        byte[] value = Base64.getDecoder().decode(data.path("value").asString(""));
        boolean sensitive = data.path("sensitive").asBoolean(false);
        return new EntryChange(path, version, seqno, value, sensitive, event.time(), changedBy);
    }
}
