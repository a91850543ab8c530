package io.millrace.documents;

import java.util.List;

/**
 * Where the history of a shard may have branched because Redis came back, or was replaced. Numbers in between are never
 * assigned again; only readers know whether there were any.
 *
 * @param stretches the numbers that may be lost, the latest first
 * @param run names the run of Redis in which the shard was opened last: those with the same one lose writes together
 */
public record Branch(List<Stretch> stretches, String run) {

    /**
     * Numbers that may be lost.
     *
     * @param first the number before the first seqno of the newer history
     * @param survived the newest seqno of the older history that is left
     */
    public record Stretch(long first, long survived) {

        boolean contains(long seqno) {
            return seqno > survived && seqno < first;
        }
    }

    /** What a store says whose history cannot branch. */
    public static final Branch NONE = new Branch(List.of(), "");

    /** Returns a history that branched once. */
    public Branch(long first, long survived, String run) {
        this(List.of(new Stretch(first, survived)), run);
    }

    /** Returns the number before the first seqno of the newest history; 0 when there is only one. */
    public long first() {
        return stretches.isEmpty() ? 0 : stretches.getFirst().first();
    }

    /** Returns the newest seqno of the history before that is left. */
    public long survived() {
        return stretches.isEmpty() ? 0 : stretches.getFirst().survived();
    }

    /** Returns whether a seqno belongs to an older history. */
    public boolean before(long seqno) {
        return seqno < first();
    }

    /** Returns whether what had this seqno is gone. */
    public boolean lost(long seqno) {
        return stretches.stream().anyMatch(stretch -> stretch.contains(seqno));
    }

    /**
     * Returns whether everything is left that was there when the history began that {@code first} names, up to a seqno.
     *
     * @param seqno the newest of that history that the caller knows of
     */
    public boolean kept(long first, long seqno) {
        return stretches.stream()
                .filter(stretch -> stretch.first() > first)
                .allMatch(stretch -> seqno <= stretch.survived());
    }
}
