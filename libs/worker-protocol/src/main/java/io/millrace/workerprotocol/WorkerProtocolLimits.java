package io.millrace.workerprotocol;

/** The limits of the worker link, each with its unit. */
public final class WorkerProtocolLimits {

    /**
     * The largest frame in bytes, without its length; past it {@link LinkException.Code#TOO_LARGE}. Room for a full
     * batch and one more event of the largest size: 20 MiB of document and 1 MiB of attributes.
     */
    public static final int MAX_FRAME_BYTES = 32 * 1024 * 1024;

    /** The most events in one batch. */
    public static final int MAX_BATCH_EVENTS = 100;

    /** A batch whose {@linkplain Event#weightBytes() events weigh} so many bytes takes no further event. */
    public static final int FULL_BATCH_BYTES = 4 * 1024 * 1024;

    /** The largest body of an HTTP request or response in bytes. */
    public static final int MAX_HTTP_BODY_BYTES = 2 * 1024 * 1024;

    /** The largest body in bytes of a response that is given in parts. A part is at most {@link #MAX_HTTP_BODY_BYTES}. */
    public static final long MAX_STREAMED_BODY_BYTES = 64L * 1024 * 1024;

    /** So many bytes of a response that the client has not taken let the worker wait. */
    public static final int STREAM_WINDOW_BYTES = 256 * 1024;

    /** The longest message of an outcome in characters; the worker cuts longer ones. */
    public static final int MAX_MESSAGE_CHARS = 4096;

    /** The longest stack of an outcome in characters; the worker cuts longer ones. */
    public static final int MAX_STACK_CHARS = 4096;

    /** The longest log line in characters; the worker cuts longer ones. */
    public static final int MAX_LOG_LINE_CHARS = 64 * 1024;

    /** The longest path of a socket in bytes; what every Unix can bind. */
    public static final int MAX_SOCKET_PATH_BYTES = 100;

    /** The least time for which a worker repeats a write while the document store is away, in milliseconds. */
    public static final long MIN_WRITE_PATIENCE_MILLIS = 30_000;

    private WorkerProtocolLimits() {}
}
