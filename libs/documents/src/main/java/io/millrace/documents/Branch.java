package io.millrace.documents;

/**
 * Where the history of a shard branched last because Redis came back, or was replaced, without being able to say that it
 * lost nothing.
 *
 * @param first the number before the first seqno of the newer history; 0 when there is only one
 * @param survived the newest seqno of the older history that is left
 * @param run names the run of Redis in which the shard was opened last: those with the same one lose writes together
 */
public record Branch(long first, long survived, String run) {

    /** What a store says whose history cannot branch. */
    public static final Branch NONE = new Branch(0, 0, "");

    /** Returns whether a seqno belongs to an older history. */
    public boolean before(long seqno) {
        return seqno < first;
    }

    /** Returns whether what had this seqno is gone. */
    public boolean lost(long seqno) {
        return seqno > survived && seqno < first;
    }
}
