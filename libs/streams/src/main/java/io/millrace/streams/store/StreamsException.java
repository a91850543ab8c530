package io.millrace.streams.store;

/** Why streams could not do what was asked, except for failures of the store beneath. */
public class StreamsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The kinds of failure. */
    public enum Code {
        /** A sync without events and unfolds. */
        NOTHING_TO_WRITE,
        TOO_MANY_EVENTS,
        EVENT_TOO_LARGE,
        /** Events that are needed have been pruned, and there is no archive. */
        ORIGIN_NOT_FOUND,
        /** A load would take more requests than it may. */
        TOO_MANY_REQUESTS,
        /** Others were faster each time. */
        MAX_RESYNCS_EXHAUSTED,
        /** Under the stream's name lies a document that is not a stream. */
        NOT_A_STREAM,
        /** What somebody wants to append cannot be read. */
        MALFORMED,
        /** What is stored cannot be read. */
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
                "A sync may have %d events; this one has %d.".formatted(Limits.MAX_EVENTS_PER_SYNC, events));
    }

    public static StreamsException tooLarge(String what, int bytes, int limit) {
        return new StreamsException(
                Code.EVENT_TOO_LARGE, "%s may have %d bytes; these have %d.".formatted(what, limit, bytes));
    }

    public static StreamsException originNotFound(StreamName stream) {
        return new StreamsException(
                Code.ORIGIN_NOT_FOUND, "Origin event not found; no archive supplied (stream %s).".formatted(stream));
    }

    public static StreamsException tooManyRequests(StreamName stream, int limit) {
        return new StreamsException(
                Code.TOO_MANY_REQUESTS, "Loading %s takes more than %d requests.".formatted(stream, limit));
    }

    public static StreamsException notAStream(StreamName stream) {
        return new StreamsException(
                Code.NOT_A_STREAM, "There is a document '%s' that is not a stream.".formatted(stream));
    }

    public static StreamsException malformed(String message) {
        return new StreamsException(Code.MALFORMED, message);
    }

    public static StreamsException corrupt(String message) {
        return new StreamsException(Code.CORRUPT, message);
    }
}
