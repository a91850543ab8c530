package io.millrace.eventing.checkpoint;

import io.millrace.documents.VBuckets;
import java.util.Objects;

/**
 * How far one function has handled one vbucket (seed document 000, checkpoint metadata blob).
 *
 * @param vbucket 0 to 1023
 * @param epoch which claim it belongs to; a later claim fences this one
 * @param seqno every change up to this one has been handled, or {@link #NOT_STARTED}
 * @param vbucketUuid identifies the history that the seqno belongs to; {@link #NO_UUID} before the first save
 * @param epochMillis when it was saved, in milliseconds since 1970
 * @param worker the worker that the vbucket is assigned to, without blanks
 * @param owner the node that claimed the vbucket, without blanks; {@link #NO_OWNER} after it was given up
 */
public record Checkpoint(
        int vbucket, long epoch, long seqno, String vbucketUuid, long epochMillis, String worker, String owner) {

    /** The seqno of a vbucket that was claimed and for which nothing was saved yet. */
    public static final long NOT_STARTED = -1;

    /** In place of a vbucket uuid before the first save. */
    public static final String NO_UUID = "-";

    /** In place of an owner: the vbucket has none. */
    public static final String NO_OWNER = "-";

    public Checkpoint {
        Objects.checkIndex(vbucket, VBuckets.COUNT);
        if (seqno < NOT_STARTED) {
            throw new IllegalArgumentException("A seqno must not be negative: " + seqno);
        }
        requireWord(vbucketUuid, "vbucket uuid");
        requireWord(worker, "worker");
        requireWord(owner, "owner");
    }

    /** Returns whether a seqno was ever saved. */
    public boolean started() {
        return seqno != NOT_STARTED;
    }

    static Checkpoint first(int vbucket, long epoch, String owner) {
        return new Checkpoint(vbucket, epoch, NOT_STARTED, NO_UUID, 0, "-", owner);
    }

    Checkpoint claimedBy(String newOwner, long newEpoch) {
        return new Checkpoint(vbucket, newEpoch, seqno, vbucketUuid, epochMillis, worker, newOwner);
    }

    /** Returns this checkpoint after its vbucket was given up; its epoch is invalid. */
    Checkpoint released() {
        return new Checkpoint(vbucket, 0, seqno, vbucketUuid, epochMillis, worker, NO_OWNER);
    }

    private static void requireWord(String text, String what) {
        if (text.isEmpty() || text.indexOf(' ') >= 0) {
            throw new IllegalArgumentException(
                    "The " + what + " of a checkpoint must not be empty or contain blanks: " + text);
        }
    }
}
