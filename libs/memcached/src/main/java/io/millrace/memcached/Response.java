package io.millrace.memcached;

import java.nio.charset.StandardCharsets;

/** A response, without the fields that it repeats from the request. Arrays are not copied; do not modify them. */
public record Response(Status status, int datatype, long cas, byte[] extras, byte[] key, byte[] value) {

    private static final byte[] NOTHING = {};

    /** Returns a response with only a status. */
    public static Response of(Status status) {
        return new Response(status, Datatypes.RAW, 0, NOTHING, NOTHING, NOTHING);
    }

    /** Returns an error response with the context as {@code {"error":{"context":"..."}}}. */
    public static Response error(Status status, String context) {
        StringBuilder json = new StringBuilder("{\"error\":{\"context\":\"");
        context.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                json.append('\\').append((char) c);
            } else if (c < ' ') {
                json.append("\\u%04x".formatted(c));
            } else {
                json.append((char) c);
            }
        });
        return of(status)
                .withValue(json.append("\"}}").toString().getBytes(StandardCharsets.UTF_8))
                .withDatatype(Datatypes.JSON);
    }

    public Response withStatus(Status other) {
        return new Response(other, datatype, cas, extras, key, value);
    }

    public Response withDatatype(int bits) {
        return new Response(status, bits, cas, extras, key, value);
    }

    public Response withCas(long version) {
        return new Response(status, datatype, version, extras, key, value);
    }

    public Response withExtras(byte[] bytes) {
        return new Response(status, datatype, cas, bytes, key, value);
    }

    public Response withKey(byte[] bytes) {
        return new Response(status, datatype, cas, extras, bytes, value);
    }

    public Response withValue(byte[] bytes) {
        return new Response(status, datatype, cas, extras, key, bytes);
    }
}
