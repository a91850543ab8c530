package io.millrace.streams.codec;

import io.millrace.streams.store.EncodedEvent;
import io.millrace.streams.store.EncodedEvent.Encoding;
import io.millrace.streams.store.StreamName;
import io.millrace.streams.store.StreamsException;
import io.millrace.streams.store.TimelineEvent;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
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
 * Events as JSON for other programs, with names in full: {@code type}, {@code data}, {@code meta}, {@code time},
 * {@code correlationId}, {@code causationId}. Events that are read also have {@code index}, and {@code unfold} if they
 * are one. The bytes of data and meta are kept.
 */
public final class StreamJson {

    private static final JsonFactory JSON = new JsonFactory();

    private StreamJson() {}

    /**
     * A request to append.
     *
     * @param events in order
     * @param unfolds replace those of the stream
     */
    public record Append(List<EncodedEvent> events, List<EncodedEvent> unfolds) {}

    /**
     * Reads {@code {"events":[...],"unfolds":[...]}}; both are optional. Events without a time get {@code now}.
     *
     * @throws StreamsException with code {@code MALFORMED} if the text is not such an object
     */
    public static Append append(byte[] json, Instant now) {
        List<EncodedEvent> events = new ArrayList<>();
        List<EncodedEvent> unfolds = new ArrayList<>();
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
            expect(parser.nextToken() == JsonToken.START_OBJECT, "an object");
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                switch (name) {
                    case "events" -> all(parser, json, now, events);
                    case "unfolds" -> all(parser, json, now, unfolds);
                    default ->
                        throw StreamsException.malformed(
                                "Unknown field '" + name + "': the body has the fields events and unfolds");
                }
            }
            expect(parser.nextToken() == null, "one object");
        } catch (JacksonException | java.time.format.DateTimeParseException e) {
            StreamsException failure = StreamsException.malformed("The body is not valid: " + e.getMessage());
            failure.initCause(e);
            throw failure;
        }
        return new Append(events, unfolds);
    }

    private static void all(JsonParser parser, byte[] json, Instant now, List<EncodedEvent> into) {
        expect(parser.currentToken() == JsonToken.START_ARRAY, "an array");
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            expect(parser.currentToken() == JsonToken.START_OBJECT, "an event");
            into.add(event(parser, json, now));
        }
    }

    private static EncodedEvent event(JsonParser parser, byte[] json, Instant now) {
        String type = "";
        String data = "null";
        @Nullable String meta = null;
        Instant time = now;
        @Nullable String correlation = null;
        @Nullable String causation = null;
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            switch (name) {
                case "type" -> type = text(parser, name);
                case "data" -> data = EventJson.raw(parser, json);
                case "meta" -> meta = EventJson.raw(parser, json);
                case "time" -> time = Instant.parse(text(parser, name));
                case "correlationId" -> correlation = text(parser, name);
                case "causationId" -> causation = text(parser, name);
                default -> throw StreamsException.malformed("Unknown field of an event: " + name);
            }
        }
        expect(!type.isEmpty(), "a type in every event");
        return new EncodedEvent(type, data, meta, Encoding.JSON, Encoding.JSON, time, correlation, causation);
    }

    private static String text(JsonParser parser, String name) {
        expect(parser.currentToken() == JsonToken.VALUE_STRING, "text for " + name);
        return parser.getString();
    }

    private static void expect(boolean found, String what) {
        if (!found) {
            throw StreamsException.malformed("The body must have " + what);
        }
    }

    /**
     * An event as handlers of functions see it.
     *
     * @param data its data as JSON, never compressed
     * @param about a JSON object: stream, category, id, index, seq, type and time; meta, correlationId and causationId if it
     *     has them
     */
    public record Shown(byte[] data, byte[] about) {}

    /** Splits an event into its data and what is known about it. */
    public static Shown shown(StreamName stream, TimelineEvent timeline) {
        EncodedEvent event = Compression.expand(timeline.event());
        ByteArrayOutputStream out = new ByteArrayOutputStream(256);
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
            json.writeStartObject();
            json.writeStringProperty("stream", stream.toString());
            json.writeStringProperty("category", stream.category());
            json.writeStringProperty("id", stream.id().text());
            json.writeNumberProperty("index", timeline.index());
            json.writeNumberProperty("seq", timeline.seqno());
            json.writeStringProperty("type", event.type());
            json.writeStringProperty("time", event.time().toString());
            optional(json, event);
            json.writeEndObject();
        }
        return new Shown(event.data().getBytes(StandardCharsets.UTF_8), out.toByteArray());
    }

    /** Writes events as an array. */
    public static String write(List<TimelineEvent> events) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(256);
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
            json.writeStartArray();
            for (TimelineEvent event : events) {
                write(json, event);
            }
            json.writeEndArray();
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    private static void write(JsonGenerator json, TimelineEvent timeline) {
        EncodedEvent event = Compression.expand(timeline.event());
        json.writeStartObject();
        json.writeNumberProperty("index", timeline.index());
        if (timeline.unfold()) {
            json.writeBooleanProperty("unfold", true);
        }
        json.writeStringProperty("type", event.type());
        json.writeStringProperty("time", event.time().toString());
        json.writeName("data");
        json.writeRawValue(event.data());
        optional(json, event);
        json.writeEndObject();
    }

    private static void optional(JsonGenerator json, EncodedEvent event) {
        if (event.meta() != null) {
            json.writeName("meta");
            json.writeRawValue(event.meta());
        }
        if (event.correlationId() != null) {
            json.writeStringProperty("correlationId", event.correlationId());
        }
        if (event.causationId() != null) {
            json.writeStringProperty("causationId", event.causationId());
        }
    }
}
