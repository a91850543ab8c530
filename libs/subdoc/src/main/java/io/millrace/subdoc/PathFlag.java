package io.millrace.subdoc;

/** What a client may say about one path, as bits of one byte. */
public final class PathFlag {

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
