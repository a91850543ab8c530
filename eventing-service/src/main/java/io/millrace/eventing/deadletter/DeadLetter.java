package io.millrace.eventing.deadletter;

import io.millrace.documents.VBuckets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A change that a function could not handle, kept for people.
 *
 * @param name names it among those of the function, over replays that fail
 * @param entryPoint the function of the code that failed
 * @param id the document's
 * @param vbucket 0 to 1023
 * @param seqno the place in the feed of the state that was handled last
 * @param cas the version of the document that was handled last
 * @param result how the last attempt ended: {@code threw}, {@code timed_out}, {@code out_of_memory},
 *     {@code write_failed} or {@code worker_ended}
 * @param error what the last attempt failed with
 * @param line where in the user's code, from 1; 0 when unknown
 * @param column likewise
 * @param stack the JavaScript stack, "" for none
 * @param attempts how often it was tried
 * @param firstFailed when it failed for the first time, in milliseconds since 1970
 * @param died when it was given up
 * @param documentBytes how large the document was
 * @param document the document as it was then; null when it was deleted, binary or too large
 */
public record DeadLetter(
        String name,
        String entryPoint,
        String scope,
        String collection,
        String id,
        int vbucket,
        long seqno,
        long cas,
        String result,
        String error,
        int line,
        int column,
        String stack,
        int attempts,
        long firstFailed,
        long died,
        int documentBytes,
        @Nullable String document) {

    public DeadLetter {
        Objects.requireNonNull(name, "name");
        Objects.checkIndex(vbucket, VBuckets.COUNT);
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
