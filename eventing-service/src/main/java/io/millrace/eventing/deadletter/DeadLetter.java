package io.millrace.eventing.deadletter;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.millrace.documents.VBuckets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A change that a function could not handle, kept for people. Its JSON is flat: the fields of the nested records are fields of
 * the letter.
 *
 * @param name unique within the function; a replay that fails keeps it
 * @param entryPoint the function of the code that failed
 * @param version the number of the version of the function that failed, 0 when unknown
 * @param trace the id of the trace of the change, null if it was not traced
 */
public record DeadLetter(
        String name,
        String entryPoint,
        long version,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String trace,
        @JsonUnwrapped Change change,
        @JsonUnwrapped Failure failure,
        @JsonUnwrapped Attempts tries,
        @JsonUnwrapped Content content) {

    /** The entry point of events of streams. */
    public static final String ON_EVENT = "OnEvent";

    /** The entry point of messages of topics. */
    public static final String ON_MESSAGE = "OnMessage";

    /** Writes letters, and reads those of earlier programs, which lack members. */
    static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    public DeadLetter {
        Objects.requireNonNull(name, "name");
    }

    /**
     * The state of a document that was handled last.
     *
     * @param id the document's
     * @param vbucket 0 to 1023
     * @param seqno its place in the feed
     * @param cas its version; of an event, its index in the stream
     */
    public record Change(String scope, String collection, String id, int vbucket, long seqno, long cas) {

        public Change {
            Objects.checkIndex(vbucket, VBuckets.COUNT);
        }
    }

    /**
     * How the last attempt ended.
     *
     * @param result {@code threw}, {@code timed_out}, {@code out_of_memory}, {@code write_failed} or {@code worker_ended}
     * @param error the message
     * @param line where in the user's code, from 1; 0 when unknown
     * @param column likewise
     * @param stack the JavaScript stack, "" for none
     */
    public record Failure(String result, String error, int line, int column, String stack) {}

    /**
     * When and how often the change was tried.
     *
     * @param attempts how often it was tried
     * @param firstFailed when it failed for the first time, in milliseconds since 1970
     * @param died when the function gave it up, likewise
     */
    public record Attempts(int attempts, long firstFailed, long died) {}

    /**
     * The document as it was then.
     *
     * @param documentBytes how large it was
     * @param document its body; null when it was deleted, binary or too large
     */
    public record Content(int documentBytes, @Nullable String document) {}

    /** Returns the vbucket of the document. */
    public int vbucket() {
        return change.vbucket;
    }

    /** Returns whether a message of a topic could not be handled. Its collection is the topic, its id that of its entry. */
    public boolean ofMessage() {
        return entryPoint.equals(ON_MESSAGE);
    }

    /** Returns whether an event of a stream, or a message, could not be handled, and not a change of a document. */
    public boolean ofEvent() {
        return entryPoint.equals(ON_EVENT) || ofMessage();
    }

    /** Returns the name of the letter of an event of a stream; events that were appended together share their seqno. */
    public static String name(int vbucket, long seqno, long index) {
        return name(vbucket, seqno) + "-" + index;
    }

    /** Returns the name of the letter of a change: the same for every delivery of it. */
    public static String name(int vbucket, long seqno) {
        return vbucket + "-" + seqno;
    }

    /** Returns the vbucket of the letter with a name, or -1 when no letter can have it. */
    static int vbucketOf(String name) {
        try {
            int vbucket = Integer.parseInt(name, 0, Math.max(0, name.indexOf('-')), 10);
            return vbucket < VBuckets.COUNT ? vbucket : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
