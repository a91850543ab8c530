package io.millrace.memcached;

import org.jspecify.annotations.Nullable;

/**
 * The frame extras of a flexible request.
 *
 * @param durability the durability that a write must reach before the response, or null
 * @param preserveTtl whether a write keeps the expiry of an existing document
 * @param problem the error to respond with, or {@link Status#SUCCESS}
 */
public record FrameExtras(@Nullable Durability durability, boolean preserveTtl, Status problem) {

    static final FrameExtras NONE = new FrameExtras(null, false, Status.SUCCESS);

    private static final int BARRIER = 0;
    private static final int DURABILITY = 1;
    private static final int STREAM_ID = 2;
    private static final int OPEN_TRACING_CONTEXT = 3;
    private static final int PRESERVE_TTL = 5;

    /** Escape value of an id or a length: the actual value is this plus the next byte. */
    private static final int ESCAPE = 15;

    /** Parses the frame extras at the start of a body. */
    static FrameExtras parse(byte[] body, int length) {
        Durability durability = null;
        boolean preserveTtl = false;
        int at = 0;
        while (at < length) {
            int id = (body[at] & 0xf0) >> 4;
            int size = body[at] & 0x0f;
            at++;
            if (id == ESCAPE) {
                id = at < length ? ESCAPE + (body[at++] & 0xff) : -1;
            }
            if (size == ESCAPE) {
                size = at < length ? ESCAPE + (body[at++] & 0xff) : length;
            }
            if (id < 0 || at + size > length) {
                return broken(Status.EINVAL);
            }
            switch (id) {
                case DURABILITY -> {
                    if (size != 1 && size != 3) {
                        return broken(Status.EINVAL);
                    }
                    int timeout = size == 1 ? 0 : (body[at + 1] & 0xff) << 8 | body[at + 2] & 0xff;
                    durability = new Durability(body[at] & 0xff, timeout);
                }
                case PRESERVE_TTL -> {
                    if (size != 0) {
                        return broken(Status.EINVAL);
                    }
                    preserveTtl = true;
                }
                case BARRIER, STREAM_ID, OPEN_TRACING_CONTEXT -> {
                    // this server starts the requests of a connection in order anyway; the others do not apply to it
                }
                default -> {
                    return broken(Status.UNKNOWN_FRAME_INFO);
                }
            }
            at += size;
        }
        return new FrameExtras(durability, preserveTtl, Status.SUCCESS);
    }

    private static FrameExtras broken(Status problem) {
        return new FrameExtras(null, false, problem);
    }
}
