package io.millrace.streams.store;

/** Thrown when an operation on streams fails for another reason than a failure of the document store. */
public class StreamsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The kinds of failure. */
    public enum Code {
        /** A sync has neither events nor unfolds. */
        NOTHING_TO_WRITE,
        TOO_MANY_EVENTS,
        EVENT_TOO_LARGE,
        /** Required events have been pruned, and there is no archive. */
        ORIGIN_NOT_FOUND,
        /** A load needs more requests than permitted. */
        TOO_MANY_REQUESTS,
        /** Other writers changed the stream before each attempt. */
        MAX_RESYNCS_EXHAUSTED,
        /** The document with the stream's name is not a stream. */
        NOT_A_STREAM,
        /** A request to append is not valid. */
        MALFORMED,
        /** Stored data cannot be read. */
        CORRUPT
    }

    private final Code code;

    public StreamsException(Code code, String message) {
        super(message);
        this.code = code;
    }

    public Code code() {
        return code;
    }

    static StreamsException nothingToWrite() {
        return new StreamsException(Code.NOTHING_TO_WRITE, "Must write either events or unfolds.");
    }

    static StreamsException tooManyEvents(int events) {
        return new StreamsException(
                Code.TOO_MANY_EVENTS,
                "A sync may have at most %d events, but has %d.".formatted(Limits.MAX_EVENTS_PER_SYNC, events));
    }

    public static StreamsException tooLarge(String what, int bytes, int limit) {
        return new StreamsException(
                Code.EVENT_TOO_LARGE, "%s may have at most %d bytes, but has %d.".formatted(what, limit, bytes));
    }

    public static StreamsException originNotFound(StreamName stream) {
        return new StreamsException(
                Code.ORIGIN_NOT_FOUND, "Origin event not found; no archive supplied (stream %s).".formatted(stream));
    }

    public static StreamsException tooManyRequests(StreamName stream, int limit) {
        return new StreamsException(
                Code.TOO_MANY_REQUESTS, "Loading stream %s needs more than %d requests.".formatted(stream, limit));
    }

    public static StreamsException notAStream(StreamName stream) {
        return new StreamsException(Code.NOT_A_STREAM, "The document '%s' is not a stream.".formatted(stream));
    }

    public static StreamsException malformed(String message) {
        return new StreamsException(Code.MALFORMED, message);
    }

    public static StreamsException corrupt(String message) {
        return new StreamsException(Code.CORRUPT, message);
    }
}
