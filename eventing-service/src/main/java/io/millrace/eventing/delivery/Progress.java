package io.millrace.eventing.delivery;

import io.millrace.documents.VBuckets;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntToLongFunction;

/**
 * How far a function is: what was read of each shard, and what was dispatched and acknowledged of each vbucket. Tells
 * how far a checkpoint may go.
 *
 * <p>Each vbucket is dispatched by one thread and acknowledged by one other; {@link #reached} may be asked by any.
 */
final class Progress {

    /** The start of a vbucket that is read elsewhere, and of a shard that has none to read here. */
    static final long NOT_OURS = Long.MAX_VALUE;

    private final int shards;
    private final long[] start = new long[VBuckets.COUNT];
    private final AtomicLongArray readOfShard;
    private final OutstandingEvents[] events = new OutstandingEvents[VBuckets.COUNT];

    Progress(int shards) {
        this.shards = shards;
        this.readOfShard = new AtomicLongArray(shards);
        Arrays.setAll(events, vbucket -> new OutstandingEvents(0));
    }

    /**
     * Sets the start, before anything is read or asked.
     *
     * @param handled tells of a vbucket up to which seqno everything was handled before, or {@link #NOT_OURS}
     */
    void begin(IntToLongFunction handled) {
        for (int vbucket = 0; vbucket < start.length; vbucket++) {
            start[vbucket] = handled.applyAsLong(vbucket);
            events[vbucket] = new OutstandingEvents(start[vbucket]);
        }
        for (int shard = 0; shard < shards; shard++) {
            readOfShard.set(shard, startOfShard(shard));
        }
    }

    /** Returns where to begin to read a shard, at the vbucket that is furthest behind, or {@link #NOT_OURS}. */
    long startOfShard(int shard) {
        int each = VBuckets.COUNT / shards;
        return Arrays.stream(start, shard * each, (shard + 1) * each).min().orElse(0);
    }

    /** Returns which part of a shard's vbuckets is read here, 0 to 1. */
    double shareOf(int shard) {
        int each = VBuckets.COUNT / shards;
        long ours = Arrays.stream(start, shard * each, (shard + 1) * each)
                .filter(from -> from != NOT_OURS)
                .count();
        return (double) ours / each;
    }

    /** Returns whether the state of a document with this CAS was handled before. */
    boolean handledBefore(int vbucket, long cas) {
        return cas <= start[vbucket];
    }

    /** Notes an event that is about to be handed to a consumer; in the order of the vbucket. */
    void dispatched(int vbucket, long seqno, Instant made) {
        events[vbucket].add(seqno, made.getEpochSecond());
    }

    /**
     * Returns when the oldest change was made that was dispatched and is not acknowledged, in seconds since 1970;
     * {@link Long#MAX_VALUE} for none.
     */
    long oldest() {
        return Arrays.stream(events).mapToLong(OutstandingEvents::oldest).min().orElse(Long.MAX_VALUE);
    }

    /** Notes that everything of a shard up to a seqno has been looked at, and dispatched where it had to be. */
    void read(int shard, long seqno) {
        readOfShard.set(shard, seqno);
    }

    void acknowledged(int vbucket, long seqno) {
        events[vbucket].acknowledge(seqno);
    }

    long readOf(int shard) {
        return readOfShard.get(shard);
    }

    /** Returns up to which seqno every event of the vbucket needs not come again. */
    long reached(int vbucket) {
        // read first: what was dispatched before this position was published is then seen as outstanding
        long read = readOfShard.get(VBuckets.shardOf(vbucket, shards));
        return events[vbucket].reached(read);
    }
}
