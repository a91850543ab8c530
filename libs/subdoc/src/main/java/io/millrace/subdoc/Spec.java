package io.millrace.subdoc;

import java.nio.charset.StandardCharsets;

/**
 * One operation of a request. Byte arrays are not copied: treat them as read-only.
 *
 * @param flags bits of {@link PathFlag}; unknown bits are refused by {@link Commands}, not here
 * @param path UTF-8, empty for the root
 * @param value what the operation takes, empty for none
 */
public record Spec(Operation operation, int flags, byte[] path, byte[] value) {

    private static final byte[] NONE = new byte[0];

    /** An operation without a value. */
    public static Spec of(Operation operation, String path) {
        return new Spec(operation, 0, path.getBytes(StandardCharsets.UTF_8), NONE);
    }

    /** An operation with a value as text. */
    public static Spec of(Operation operation, String path, String value) {
        return new Spec(operation, 0, path.getBytes(StandardCharsets.UTF_8), value.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns a copy with these flags in place of its own. */
    public Spec withFlags(int bits) {
        return new Spec(operation, bits, path, value);
    }

    /** Returns true when the path leads into the extended attributes. */
    public boolean xattr() {
        return has(PathFlag.XATTR_PATH);
    }

    public boolean has(int flag) {
        return (flags & flag) != 0;
    }

    /** What a client may say about one path, as bits of one byte. */
    public static final class PathFlag {

        /** Create the objects that are missing on the way. */
        public static final int MKDIR_P = 0x01;

        /** The path leads into the extended attributes. */
        public static final int XATTR_PATH = 0x04;

        /** The value is a macro. */
        public static final int EXPAND_MACROS = 0x10;

        /** The value is any bytes, kept as base64. */
        public static final int BINARY_VALUE = 0x20;

        private PathFlag() {}
    }
}
