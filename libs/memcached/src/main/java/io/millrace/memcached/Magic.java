package io.millrace.memcached;

/** The first byte of every frame. */
final class Magic {

    static final int REQUEST = 0x80;
    static final int RESPONSE = 0x81;

    /** A request with frame extras; the length of its key has one byte. */
    static final int FLEXIBLE_REQUEST = 0x08;

    /** A response with frame extras; the length of its key has one byte. */
    static final int FLEXIBLE_RESPONSE = 0x18;

    private Magic() {}
}
