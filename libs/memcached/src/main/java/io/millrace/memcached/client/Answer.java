package io.millrace.memcached.client;

import io.millrace.memcached.Status;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** One response as it came. */
public record Answer(
        int opcode, int code, int datatype, int opaque, long cas, byte[] extras, byte[] key, byte[] value) {

    /** Returns the status, or null when it is not known here. */
    public @Nullable Status status() {
        return Status.of(code);
    }

    public String text() {
        return new String(value, StandardCharsets.UTF_8);
    }
}
