package io.millrace.streams.codec;

import io.millrace.streams.store.EncodedEvent;
import io.millrace.streams.store.EncodedEvent.Encoding;
import io.millrace.streams.store.Limits;
import io.millrace.streams.store.StreamsException;
import io.millrace.streams.store.TimelineEvent;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Stored events as JSON, with Equinox's names: {@code c} type, {@code d} data, {@code m} meta, {@code D} and {@code M}
 * their encodings, {@code t} time. The bytes of the data are kept.
 */
public final class EventJson {

    private static final JsonFactory JSON = new JsonFactory();

    private EventJson() {}

    /** As {@link #event(EncodedEvent)}, but throws when the event is too large. */
    public static byte[] checkedEvent(EncodedEvent event) {
        byte[] json = event(event);
        if (json.length > Limits.MAX_EVENT_BYTES) {
            throw StreamsException.tooLarge("An event", json.length, Limits.MAX_EVENT_BYTES);
        }
        return json;
    }

    /** As {@link #unfolds(List)}, but throws when they are too large. */
    public static byte[] checkedUnfolds(List<EncodedEvent> unfolds) {
        byte[] json = unfolds(unfolds);
        if (json.length > Limits.MAX_UNFOLDS_BYTES) {
            throw StreamsException.tooLarge("The unfolds of a stream", json.length, Limits.MAX_UNFOLDS_BYTES);
        }
        return json;
    }

    public static byte[] event(EncodedEvent event) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(128);
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
            write(json, event);
        }
        return out.toByteArray();
    }

    public static byte[] unfolds(List<EncodedEvent> unfolds) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(256);
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
            json.writeStartArray();
            for (EncodedEvent unfold : unfolds) {
                write(json, unfold);
            }
            json.writeEndArray();
        }
        return out.toByteArray();
    }

    private static void write(JsonGenerator json, EncodedEvent event) {
        json.writeStartObject();
        json.writeStringProperty("c", event.type());
        json.writeStringProperty("t", event.time().toString());
        json.writeName("d");
        json.writeRawValue(event.data());
        encoding(json, "D", event.dataEncoding(), event.data());
        if (event.meta() != null) {
            json.writeName("m");
            json.writeRawValue(event.meta());
            encoding(json, "M", event.metaEncoding(), event.meta());
        }
        text(json, "correlationId", event.correlationId());
        text(json, "causationId", event.causationId());
        json.writeEndObject();
    }

    /** The encoding of strings is always written: in unfolds, a string without one is deflated, as before {@code D}. */
    private static void encoding(JsonGenerator json, String name, Encoding encoding, String value) {
        if (encoding != Encoding.JSON || value.startsWith("\"")) {
            json.writeNumberProperty(name, encoding.number());
        }
    }

    private static void text(JsonGenerator json, String name, @Nullable String value) {
        if (value != null) {
            json.writeStringProperty(name, value);
        }
    }

    public static TimelineEvent event(byte[] json, long index, long seqno) {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
            parser.nextToken();
            return new TimelineEvent(index, seqno, false, read(parser, json).event(Encoding.JSON));
        } catch (JacksonException | DateTimeParseException e) {
            throw unreadable(json, e);
        }
    }

    /** Reads the unfolds of a stream. Every sync replaces all of them, so all belong to the current version. */
    public static List<TimelineEvent> unfolds(byte[] bytes, long version) {
        List<TimelineEvent> unfolds = new ArrayList<>();
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), bytes)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.START_OBJECT) {
                unfolds.add(
                        new TimelineEvent(version, 0, true, read(parser, bytes).event(Encoding.DEFLATE)));
            }
            return unfolds;
        } catch (JacksonException | DateTimeParseException e) {
            throw unreadable(bytes, e);
        }
    }

    private static StreamsException unreadable(byte[] json, RuntimeException cause) {
        StreamsException failure = StreamsException.corrupt("A stored event cannot be read: "
                + new String(json, 0, Math.min(json.length, 200), StandardCharsets.UTF_8));
        failure.initCause(cause);
        return failure;
    }

    /** The fields of an event that have been read so far. */
    private static final class Draft {
        private String type = "";
        private String data = "null";
        private @Nullable String meta;
        private @Nullable Encoding dataEncoding;
        private @Nullable Encoding metaEncoding;
        private Instant time = Instant.EPOCH;
        private @Nullable String correlationId;
        private @Nullable String causationId;

        public EncodedEvent event(Encoding ofStrings) {
            return new EncodedEvent(
                    type,
                    data,
                    meta,
                    encoding(dataEncoding, data, ofStrings),
                    encoding(metaEncoding, meta, ofStrings),
                    time,
                    correlationId,
                    causationId);
        }

        private static Encoding encoding(@Nullable Encoding said, @Nullable String value, Encoding ofStrings) {
            if (said != null) {
                return said;
            }
            return value != null && value.startsWith("\"") ? ofStrings : Encoding.JSON;
        }
    }

    private static Draft read(JsonParser parser, byte[] source) {
        Draft draft = new Draft();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            switch (name) {
                case "c" -> draft.type = parser.getString();
                case "t" -> draft.time = Instant.parse(parser.getString());
                case "d" -> draft.data = raw(parser, source);
                case "m" -> draft.meta = raw(parser, source);
                case "D" -> draft.dataEncoding = Encoding.of(parser.getIntValue());
                case "M" -> draft.metaEncoding = Encoding.of(parser.getIntValue());
                case "correlationId" -> draft.correlationId = parser.getString();
                case "causationId" -> draft.causationId = parser.getString();
                default -> parser.skipChildren();
            }
        }
        return draft;
    }

    /** Returns the text of the current value, byte for byte. */
    static String raw(JsonParser parser, byte[] source) {
        long from = parser.currentTokenLocation().getByteOffset();
        parser.skipChildren();
        parser.finishToken();
        long to = parser.currentLocation().getByteOffset();
        return new String(source, (int) from, (int) (to - from), StandardCharsets.UTF_8);
    }
}
