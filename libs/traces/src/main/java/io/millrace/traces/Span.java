package io.millrace.traces;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A step of a trace that has ended.
 *
 * @param trace the id of the trace, 32 hexadecimal digits
 * @param span the id of the span, 16 hexadecimal digits
 * @param parent the id of the span that led to it, "" for none
 * @param name what was done: {@code PUT}, {@code queue}, {@code OnUpdate}, {@code upsert}, {@code curl}
 * @param startMicros when it began, in microseconds since 1970
 * @param durationMicros how long it took, in microseconds
 * @param error why it failed, "" if it did not
 * @param attributes more about it, see {@link Attribute}
 */
public record Span(
        String trace,
        String span,
        String parent,
        Kind kind,
        String name,
        long startMicros,
        long durationMicros,
        String error,
        Map<String, String> attributes) {

    private static final TypeReference<List<Span>> LIST = new TypeReference<>() {};
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    /** What a span is about. */
    public enum Kind {
        /** A change by a client, or an event that was appended to a stream. */
        WRITE,
        /** A client calls a function over HTTP. */
        CALL,
        /** A change, or a timer that is due, waits until a worker has time for it. */
        QUEUE,
        /** An entry point of a function runs. */
        HANDLER,
        /** A function writes, runs a statement, or creates a timer. */
        EFFECT,
        /** A function sends an HTTP request. */
        REQUEST,
        /** A change or a timer becomes a dead letter. */
        DEAD_LETTER
    }

    /** The names of attributes. */
    public static final class Attribute {

        /** The name of the function. */
        public static final String FUNCTION = "function";
        /** The number of its version. */
        public static final String VERSION = "version";
        /** {@code bucket.scope.collection}. */
        public static final String KEYSPACE = "keyspace";
        /** The id of the document in the keyspace. */
        public static final String DOCUMENT = "document";
        /** The name of the event stream. */
        public static final String STREAM = "stream";
        /** The index of the event in its stream. */
        public static final String INDEX = "index";
        /** What a client called, behind the name of the function. */
        public static final String PATH = "path";
        /** The id of the client's request. */
        public static final String REQUEST = "request";
        /** Who sent it. */
        public static final String USER = "user";
        /** Which way a client took: {@code http}, {@code kv}, {@code query}, {@code couch}. */
        public static final String DOOR = "door";
        /** The node on which it happened. */
        public static final String NODE = "node";

        private Attribute() {}
    }

    public Span {
        Objects.requireNonNull(kind, "kind");
        attributes = Map.copyOf(attributes);
    }

    /** Returns when it ended, in microseconds since 1970. */
    public long endMicros() {
        return startMicros + durationMicros;
    }

    /** Returns an attribute, "" if there is none of that name. */
    public String attribute(String name) {
        return attributes.getOrDefault(name, "");
    }

    /** Returns a copy with further attributes. */
    public Span with(Map<String, String> more) {
        Map<String, String> all = new LinkedHashMap<>(attributes);
        all.putAll(more);
        return new Span(trace, span, parent, kind, name, startMicros, durationMicros, error, all);
    }

    /** Returns a span as JSON. */
    public byte[] json() {
        return JSON.writeValueAsBytes(this);
    }

    /** Reads what {@link #json()} has written. */
    public static Span ofJson(byte[] json) {
        return JSON.readValue(json, Span.class);
    }

    /** Returns spans as JSON. */
    public static byte[] json(List<Span> spans) {
        return JSON.writeValueAsBytes(spans);
    }

    /** Reads what {@link #json(List)} has written. */
    public static List<Span> listOfJson(byte[] json) {
        return JSON.readValue(json, LIST);
    }
}
