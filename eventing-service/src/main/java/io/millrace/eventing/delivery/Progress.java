package io.millrace.eventing.delivery;

import io.millrace.documents.VBuckets;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntToLongFunction;

/**
 * The progress of a function: the position that was read in each shard, and the events dispatched and acknowledged in
 * each vbucket. Decides up to where a checkpoint may be saved.
 *
 * <p>Each vbucket is dispatched by one thread and acknowledged by another; any thread may call {@link #reached}.
 */
final class Progress {

    /** The start of a vbucket that is read on another node, and of a shard with no vbucket to read here. */
    static final long NOT_OURS = Long.MAX_VALUE;

    private final int shards;
    private final long[] start = new long[VBuckets.COUNT];
    private final AtomicLongArray readOfShard;
    private final OutstandingEvents[] events = new OutstandingEvents[VBuckets.COUNT];

    /** Whether anything was read or acknowledged since {@link #rest}. */
    private volatile boolean moved = true;

    Progress(int shards) {
        this.shards = shards;
        this.readOfShard = new AtomicLongArray(shards);
        Arrays.setAll(events, vbucket -> new OutstandingEvents(0));
    }

    /**
     * Sets the start; called before anything else.
     *
     * @param handled returns the seqno up to which everything in a vbucket was handled before, or {@link #NOT_OURS}
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

    /** Returns the position to read a shard from, that of the vbucket furthest behind, or {@link #NOT_OURS}. */
    long startOfShard(int shard) {
        int each = VBuckets.COUNT / shards;
        return Arrays.stream(start, shard * each, (shard + 1) * each).min().orElse(0);
    }

    /** Returns the share of a shard's vbuckets that is read here, 0 to 1. */
    double shareOf(int shard) {
        int each = VBuckets.COUNT / shards;
        long ours = Arrays.stream(start, shard * each, (shard + 1) * each)
                .filter(from -> from != NOT_OURS)
                .count();
        return (double) ours / each;
    }

    /** Returns whether the state with this seqno was handled before this delivery. */
    boolean handledBefore(int vbucket, long seqno) {
        return seqno <= start[vbucket];
    }

    /** Notes an event that is about to be handed to a consumer; called in the order of the vbucket. */
    void dispatched(int vbucket, long seqno, Instant made) {
        events[vbucket].add(seqno, made.getEpochSecond());
    }

    /**
     * Returns when the oldest unacknowledged change was made, in seconds since 1970; {@link Long#MAX_VALUE} for none.
     */
    long oldest() {
        return Arrays.stream(events).mapToLong(OutstandingEvents::oldest).min().orElse(Long.MAX_VALUE);
    }

    /** Notes that every change of a shard up to a seqno has been read and, where necessary, dispatched. */
    void read(int shard, long seqno) {
        if (readOfShard.getAndSet(shard, seqno) != seqno) {
            move();
        }
    }

    void acknowledged(int vbucket, long seqno) {
        events[vbucket].acknowledge(seqno);
        move();
    }

    /** Says that what is reached may not be saved. */
    void move() {
        if (!moved) { // most events find it set, and need not fetch it for writing
            moved = true;
        }
    }

    /** Says that what is reached will be saved now. */
    void rest() {
        moved = false;
    }

    /** Returns whether {@link #reached} may differ from what it was when {@link #rest} was called. */
    boolean moved() {
        return moved;
    }

    long readOf(int shard) {
        return readOfShard.get(shard);
    }

    /** Returns the seqno up to which no event of a vbucket needs to be delivered again. */
    long reached(int vbucket) {
        // read first, so that events dispatched before this position was published are seen as outstanding
        long read = readOfShard.get(VBuckets.shardOf(vbucket, shards));
        return events[vbucket].reached(read);
    }
}
