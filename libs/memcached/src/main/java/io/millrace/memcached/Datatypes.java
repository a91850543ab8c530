package io.millrace.memcached;

/** The bits of a frame's datatype. */
public final class Datatypes {

    /** The value is plain bytes. */
    public static final int RAW = 0;

    /** The value is JSON. */
    public static final int JSON = 1;

    /** The value is compressed. */
    public static final int SNAPPY = 2;

    /** The value begins with extended attributes. */
    public static final int XATTR = 4;

    private Datatypes() {}
}
