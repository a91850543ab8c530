package io.millrace.workerprotocol;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Why a frame could not be carried. After one of these the link can only be closed. */
public final class LinkException extends IOException {

    private static final long serialVersionUID = 1L;

    /** The kinds of failure. */
    public enum Code {
        /** The bytes are not a valid frame. */
        MALFORMED,
        /** A frame is longer than {@link WorkerProtocolLimits#MAX_FRAME_BYTES}. */
        TOO_LARGE,
        /** The peer went away in the middle of a frame, or without reading what was sent to it. */
        TRUNCATED,
        /** The link was closed on this side. */
        CLOSED,
        /** No worker connected in time. */
        TIMEOUT
    }

    private final Code code;

    private LinkException(Code code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public Code code() {
        return code;
    }

    static LinkException malformed(String what) {
        return new LinkException(Code.MALFORMED, "The bytes on the worker link are not a valid frame: " + what, null);
    }

    static LinkException malformed(String what, Throwable cause) {
        return new LinkException(Code.MALFORMED, "The bytes on the worker link are not a valid frame: " + what, cause);
    }

    static LinkException tooLarge(long bytes) {
        return new LinkException(
                Code.TOO_LARGE,
                "A frame of %d bytes is longer than the %d that the worker link carries"
                        .formatted(bytes, WorkerProtocolLimits.MAX_FRAME_BYTES),
                null);
    }

    static LinkException truncated(int missing) {
        return new LinkException(
                Code.TRUNCATED, "The peer went away %d bytes before the end of a frame".formatted(missing), null);
    }

    static LinkException reset(IOException cause) {
        return new LinkException(Code.TRUNCATED, "The peer went away without reading what was sent to it", cause);
    }

    static LinkException closed(Throwable cause) {
        return new LinkException(Code.CLOSED, "The worker link was closed on this side", cause);
    }

    static LinkException timeout(long millis) {
        return new LinkException(Code.TIMEOUT, "No worker connected within %d ms".formatted(millis), null);
    }
}
