package io.millrace.eventing.producer;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.VBuckets;
import io.millrace.eventing.checkpoint.Checkpoint;
import io.millrace.eventing.checkpoint.CheckpointGroup;
import io.millrace.eventing.checkpoint.Claim;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One claim of a function's checkpoints: where to start, and saving how far it got. Used by one thread at a time. */
final class Checkpoints {

    private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);

    private final FunctionSpec spec;
    private final RuntimeEnvironment environment;
    private final BucketInfo source;
    private final Route route;
    private final CheckpointGroup group;
    private final long epoch;
    private final long[] saved;

    private Checkpoints(
            FunctionSpec spec,
            RuntimeEnvironment environment,
            BucketInfo source,
            Route route,
            long epoch,
            long[] saved) {
        this.spec = spec;
        this.environment = environment;
        this.source = source;
        this.route = route;
        this.group = group(spec);
        this.epoch = epoch;
        this.saved = saved;
    }

    /** Higher than that of everybody who ran the function before. */
    long epoch() {
        return epoch;
    }

    static CheckpointGroup group(FunctionSpec spec) {
        return new CheckpointGroup(spec.metadata().bucket(), spec.functionId());
    }

    /**
     * Takes over the checkpoints of a function, and saves the feed boundary for vbuckets that have none: a function that
     * started from now must not start from now again.
     */
    static Checkpoints claim(
            FunctionSpec spec, RuntimeEnvironment environment, BucketInfo source, Route route, Retry retry)
            throws InterruptedException {
        VbucketRange range = VbucketRange.ALL;
        Claim claim = retry.call(
                "claim_checkpoints",
                () -> environment.checkpoints().claim(group(spec), environment.node(), range.first(), range.last()));
        long[] high = new long[source.shards()];
        for (int shard = 0; shard < high.length; shard++) {
            int one = shard;
            DocumentStore documents = environment.documents();
            high[shard] = retry.call("high_seqno", () -> documents.highSeqno(source.name(), one));
        }
        long[] start = new long[VBuckets.COUNT];
        long[] saved = new long[VBuckets.COUNT];
        Arrays.fill(saved, Checkpoint.NOT_STARTED);
        for (Checkpoint checkpoint : claim.checkpoints()) {
            int vbucket = checkpoint.vbucket();
            start[vbucket] = start(spec, source, checkpoint, high[VBuckets.shardOf(vbucket, source.shards())]);
            if (checkpoint.started() && start[vbucket] == checkpoint.seqno()) {
                saved[vbucket] = checkpoint.seqno();
            }
        }
        Checkpoints checkpoints = new Checkpoints(spec, environment, source, route, claim.epoch(), saved);
        checkpoints.saveStart(start, retry);
        return checkpoints;
    }

    private static long start(FunctionSpec spec, BucketInfo source, Checkpoint checkpoint, long high) {
        if (!checkpoint.started()) {
            return spec.boundary() == FeedBoundary.FROM_NOW ? high : 0;
        }
        if (checkpoint.seqno() <= high) {
            return checkpoint.seqno();
        }
        boolean sameHistory = checkpoint.vbucketUuid().equals(uuid(source, checkpoint.vbucket()));
        long start = sameHistory ? high : 0;
        LOG.warn(
                "event=history_lost function={} vbucket={} checkpoint={} high_seqno={} start={}",
                spec.name(),
                checkpoint.vbucket(),
                checkpoint.seqno(),
                high,
                start);
        return start;
    }

    private void saveStart(long[] start, Retry retry) throws InterruptedException {
        List<Checkpoint> first = new ArrayList<>();
        for (int vbucket = 0; vbucket < start.length; vbucket++) {
            if (saved[vbucket] != start[vbucket]) {
                first.add(checkpoint(vbucket, start[vbucket]));
            }
        }
        List<Integer> fenced = retry.call(
                "save_first_checkpoints", () -> environment.checkpoints().save(group, first));
        if (!fenced.isEmpty()) {
            throw new CancellationException("Another node took over the function");
        }
        System.arraycopy(start, 0, saved, 0, start.length);
    }

    /** Returns by vbucket up to which seqno everything was handled before. */
    long[] start() {
        return saved.clone();
    }

    /** Saves how far the function got. Completes with the vbuckets that another node has taken over. */
    CompletableFuture<List<Integer>> save(Progress progress) {
        List<Checkpoint> moved = new ArrayList<>();
        for (int vbucket = 0; vbucket < saved.length; vbucket++) {
            long reached = progress.reached(vbucket);
            if (reached > saved[vbucket]) {
                moved.add(checkpoint(vbucket, reached));
            }
        }
        if (moved.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        return environment.checkpoints().save(group, moved).whenComplete((fenced, failure) -> {
            if (failure == null) {
                moved.forEach(checkpoint -> saved[checkpoint.vbucket()] = checkpoint.seqno());
            }
        });
    }

    private Checkpoint checkpoint(int vbucket, long seqno) {
        return new Checkpoint(
                vbucket,
                epoch,
                seqno,
                uuid(source, vbucket),
                environment.clock().millis(),
                Crew.name(spec, route.workerOf(vbucket)),
                environment.node());
    }

    private static String uuid(BucketInfo source, int vbucket) {
        return "%016x".formatted(source.vbucketUuid(vbucket));
    }
}
