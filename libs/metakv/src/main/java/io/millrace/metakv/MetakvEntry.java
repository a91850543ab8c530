package io.millrace.metakv;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * A value at a path. The byte array is not copied; do not modify it.
 *
 * @param path a path that {@link MetakvPaths#entry} accepts
 * @param value any bytes, at most {@link MetakvLimits#MAX_VALUE_BYTES}
 * @param rev the version of this entry; opaque, compare it only for equality
 */
public record MetakvEntry(String path, byte[] value, String rev) {

    public MetakvEntry {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(rev, "rev");
    }

    /** Returns the value decoded as UTF-8. */
    public String text() {
        return new String(value, StandardCharsets.UTF_8);
    }

    /** Returns the part of the path after its last slash. */
    public String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MetakvEntry entry
                && path.equals(entry.path)
                && rev.equals(entry.rev)
                && Arrays.equals(value, entry.value);
    }

    @Override
    public int hashCode() {
        return Objects.hash(path, rev);
    }

    @Override
    public String toString() {
        return path + '@' + rev + '(' + value.length + " bytes)";
    }
}
