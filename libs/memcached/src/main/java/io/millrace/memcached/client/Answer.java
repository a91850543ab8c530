package io.millrace.memcached.client;

import io.millrace.memcached.Status;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A response as received. */
public record Answer(
        int opcode, int code, int datatype, int opaque, long cas, byte[] extras, byte[] key, byte[] value) {

    /** Returns the status, or null if it is unknown. */
    public @Nullable Status status() {
        return Status.of(code);
    }

    public String text() {
        return new String(value, StandardCharsets.UTF_8);
    }
}
