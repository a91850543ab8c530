package io.millrace.memcached;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The response to GET_ERROR_MAP: every {@link Status} as JSON, in version 1 or 2 of the format. */
public final class ErrorMap {

    private static final int NEWEST_VERSION = 2;

    private ErrorMap() {}

    /** Returns the map in the newest version up to the requested one, which is at least 1. */
    public static byte[] json(int version) {
        String errors = Arrays.stream(Status.values()).map(ErrorMap::entry).collect(Collectors.joining(","));
        return "{\"version\":%d,\"revision\":1,\"errors\":{%s}}"
                .formatted(Math.min(version, NEWEST_VERSION), errors)
                .getBytes(StandardCharsets.UTF_8);
    }

    private static String entry(Status status) {
        String attributes =
                status.attributes().stream().map(name -> '"' + name + '"').collect(Collectors.joining(","));
        return "\"%x\":{\"name\":\"%s\",\"desc\":\"%s\",\"attrs\":[%s]}"
                .formatted(status.code(), status.name(), status.description(), attributes);
    }
}
