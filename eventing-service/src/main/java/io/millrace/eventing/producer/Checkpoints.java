package io.millrace.eventing.producer;

import io.millrace.documents.Branch;
import io.millrace.documents.BucketInfo;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.VBuckets;
import io.millrace.eventing.checkpoint.Checkpoint;
import io.millrace.eventing.checkpoint.CheckpointGroup;
import io.millrace.eventing.checkpoint.CheckpointStore.Claim;
import io.millrace.eventing.delivery.Delivery;
import io.millrace.eventing.delivery.OwnershipLost;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.FunctionSpec.FeedBoundary;
import io.millrace.eventing.runtime.Retry;
import io.millrace.eventing.runtime.RuntimeEnvironment;
import io.millrace.rebalance.VbucketSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The vbuckets of a function that this node owns, with the epoch of each and the position up to which it is saved. Used
 * by one thread at a time; any thread may call {@link #owned}.
 */
final class Checkpoints {

    private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);

    private static final String REDIS_REPLACED = "Redis was restarted or replaced and may have lost writes.";

    private final FunctionSpec spec;
    private final RuntimeEnvironment environment;
    private final BucketInfo source;
    private final CheckpointGroup group;
    private final Milestones milestones;
    private final long[] epochs = new long[VBuckets.COUNT];
    private final long[] saved = new long[VBuckets.COUNT];
    private volatile VbucketSet owned = VbucketSet.NONE;

    /** The run of Redis in which the latest claim was made. */
    private volatile String claimedIn = "";

    /**
     * The state of a shard of the source when its vbuckets are taken over.
     *
     * @param withMetadata whether the checkpoints are in the same run of Redis
     */
    private record Start(long high, Branch branch, boolean withMetadata) {}

    /** How {@link #renew} ended. */
    enum Renewal {
        /** Nothing is lost. */
        COMPLETE,
        /** Something may be lost, so that changes are handled again. */
        GONE_BACK,
        /** Another node has claimed some of the vbuckets. */
        REFUSED
    }

    Checkpoints(FunctionSpec spec, RuntimeEnvironment environment, BucketInfo source) {
        this.spec = spec;
        this.environment = environment;
        this.source = source;
        this.group = spec.checkpoints();
        this.milestones = new Milestones(environment.source(spec), source);
    }

    VbucketSet owned() {
        return owned;
    }

    /** Returns the epoch of an owned vbucket. */
    long epoch(int vbucket) {
        return epochs[vbucket];
    }

    /** Returns the seqno up to which an owned vbucket is handled and saved. */
    long saved(int vbucket) {
        return saved[vbucket];
    }

    /**
     * Returns the vbuckets that this node owns according to Redis. They may be more than this process knows of: an
     * earlier process of this node ended without giving them up, or Redis lost that it did.
     */
    VbucketSet recorded(Retry retry) throws InterruptedException {
        return stored(checkpoint -> checkpoint.owner().equals(environment.node()), retry);
    }

    /** Returns the vbuckets whose checkpoint in Redis matches. */
    private VbucketSet stored(Predicate<Checkpoint> such, Retry retry) throws InterruptedException {
        List<Checkpoint> all =
                retry.call("read_owners", () -> environment.checkpoints().read(group));
        return VbucketSet.of(all.stream().filter(such).mapToInt(Checkpoint::vbucket));
    }

    /**
     * Releases vbuckets that this node owns according to Redis and does not work on; other nodes cannot claim them
     * otherwise.
     */
    void release(VbucketSet recorded, Retry retry) throws InterruptedException {
        claim(recorded, retry);
        retry.call("give_up", () -> giveUp(owned, null));
    }

    /**
     * Claims vbuckets and saves the feed boundary of those without a checkpoint, so that a function that starts from
     * now does so only once. Returns those that were granted.
     */
    VbucketSet claim(VbucketSet wanted, Retry retry) throws InterruptedException {
        if (wanted.isEmpty()) {
            return wanted;
        }
        Claim claim = retry.call(
                "claim_checkpoints", () -> environment.checkpoints().claim(group, environment.node(), wanted));
        if (!claim.refused().isEmpty()) {
            LOG.debug("event=claim_refused function={} vbuckets={}", spec.name(), claim.refused());
        }
        if (claim.checkpoints().isEmpty()) {
            return VbucketSet.NONE;
        }
        DocumentStore documents = environment.documents();
        String run = retry.call("metadata_run", () -> documents.branch(group.metadataBucket(), 0))
                .run();
        if (!owned.isEmpty() && !run.equals(claimedIn)) {
            // earlier claims are void from now on: everything has to be claimed again in this run
            throw new OwnershipLost.WritesLost(REDIS_REPLACED);
        }
        claimedIn = run;
        Map<Integer, Start> starts = retry.call("find_starts", () -> starts(claim.checkpoints(), run));
        List<Checkpoint> first = new ArrayList<>();
        VbucketSet granted = VbucketSet.of(claim.checkpoints().stream().mapToInt(Checkpoint::vbucket));
        for (Checkpoint checkpoint : claim.checkpoints()) {
            int vbucket = checkpoint.vbucket();
            long start = start(checkpoint, Objects.requireNonNull(starts.get(shardOf(checkpoint))));
            epochs[vbucket] = claim.epoch();
            saved[vbucket] = start;
            if (!checkpoint.started() || start != checkpoint.seqno()) {
                first.add(checkpoint(vbucket, start, "-"));
            }
        }
        List<Integer> fenced = retry.call(
                "save_first_checkpoints", () -> environment.checkpoints().save(group, first));
        granted = granted.minus(VbucketSet.of(fenced.stream().mapToInt(Integer::intValue)));
        owned = owned.plus(granted);
        return granted;
    }

    /**
     * Asks all shards in which vbuckets are taken over at the same time: the function pauses for as long as this takes.
     */
    private CompletableFuture<Map<Integer, Start>> starts(List<Checkpoint> claimed, String run) {
        DocumentStore documents = environment.source(spec);
        Map<Integer, CompletableFuture<Start>> asked = new HashMap<>();
        for (Checkpoint checkpoint : claimed) {
            asked.computeIfAbsent(
                    shardOf(checkpoint),
                    shard -> documents
                            .branch(source.name(), shard)
                            .thenCompose(branch -> documents
                                    .highSeqno(source.name(), shard)
                                    .thenApply(high ->
                                            new Start(high, branch, branch.run().equals(run)))));
        }
        return CompletableFuture.allOf(asked.values().toArray(CompletableFuture[]::new))
                .thenApply(all -> {
                    Map<Integer, Start> starts = new HashMap<>();
                    asked.forEach((shard, start) -> starts.put(shard, start.join()));
                    return starts;
                });
    }

    private int shardOf(Checkpoint checkpoint) {
        return VBuckets.shardOf(checkpoint.vbucket(), source.shards());
    }

    private long start(Checkpoint checkpoint, Start shard) {
        if (!checkpoint.started()) {
            return spec.source().boundary() == FeedBoundary.FROM_NOW
                    ? shard.high
                    : Math.min(spec.source().after(), shard.high);
        }
        long start = start(checkpoint.seqno(), shard, checkpoint.vbucketUuid().equals(uuid(checkpoint.vbucket())));
        if (start != checkpoint.seqno()) {
            LOG.warn(
                    "event=history_lost function={} vbucket={} checkpoint={} high_seqno={} start={}",
                    spec.name(),
                    checkpoint.vbucket(),
                    checkpoint.seqno(),
                    shard.high,
                    start);
        }
        return start;
    }

    /**
     * If source and metadata lost writes together, the checkpoint was saved before any lost change was read, so it is
     * valid. Otherwise it may be past states that have come back because the changes that overwrote them are lost;
     * their positions are unknown, so the shard is read from the beginning.
     */
    private static long start(long saved, Start shard, boolean sameHistory) {
        if (shard.branch.before(saved)) {
            return shard.withMetadata && !shard.branch.lost(saved) ? saved : 0;
        }
        if (saved <= shard.high) {
            return saved;
        }
        return sameHistory ? shard.high : 0;
    }

    /**
     * Claims all owned vbuckets again after Redis was restarted. Where that provably lost nothing, the function goes on where it
     * was; otherwise from the latest milestone or checkpoint that came before the loss.
     *
     * @param last the last delivery, which has ended
     */
    Renewal renew(Delivery last, Retry retry) throws InterruptedException {
        long[] known = saved.clone();
        VbucketSet before = owned;
        owned = VbucketSet.NONE;
        if (!claim(before, retry).equals(before)) {
            return Renewal.REFUSED;
        }
        // asked in the run of the claim or a later one: Redis may have been restarted once more until the claim was
        // granted
        boolean proven = retry.call("restart_proof", environment.documents()::restartsLoseNothing)
                && retry.call("find_losses", last::intact);
        boolean complete = proven && before.stream().allMatch(vbucket -> saved[vbucket] >= known[vbucket]);
        int ahead = complete ? 0 : toMilestones(retry);
        LOG.info(
                "event=redis_restarted function={} lost={} continues_from={}",
                spec.name(),
                complete ? "nothing" : "unknown",
                complete ? "where_it_was" : ahead > 0 ? "milestones" : "checkpoints");
        if (complete) {
            return retry.call("save_checkpoints", () -> save(last)).isEmpty() ? Renewal.COMPLETE : Renewal.REFUSED;
        }
        milestones.clear();
        return Renewal.GONE_BACK;
    }

    /** Moves owned vbuckets from their checkpoints to milestones before the loss and returns how many have such a one. */
    private int toMilestones(Retry retry) throws InterruptedException {
        List<Checkpoint> moved = new ArrayList<>();
        for (int shard = 0; shard < source.shards(); shard++) {
            int one = shard;
            Branch branch =
                    retry.call("find_branch", () -> environment.source(spec).branch(source.name(), one));
            if (!branch.run().equals(claimedIn)) {
                continue; // what the function has written may have been lost apart from that
            }
            milestones
                    .surviving(shard, branch)
                    .ifPresent(reached -> owned.stream()
                            .filter(vbucket -> VBuckets.shardOf(vbucket, source.shards()) == one)
                            .filter(vbucket -> reached.applyAsLong(vbucket) > saved[vbucket])
                            .forEach(vbucket -> moved.add(checkpoint(vbucket, reached.applyAsLong(vbucket), "-"))));
        }
        List<Integer> fenced =
                retry.call("save_milestones", () -> environment.checkpoints().save(group, moved));
        moved.stream()
                .filter(checkpoint -> !fenced.contains(checkpoint.vbucket()))
                .forEach(checkpoint -> saved[checkpoint.vbucket()] = checkpoint.seqno());
        return moved.size();
    }

    /** Notes what the function has reached, for the case that Redis loses its latest writes. Never blocks. */
    void note(Delivery delivery) {
        milestones.note(delivery::reached, claimedIn).exceptionally(unreachable -> null); // the next one comes soon
    }

    /** Returns whether Redis was restarted or replaced since the latest claim. */
    boolean restarted(Retry retry) throws InterruptedException {
        return !retry.call("metadata_run", () -> environment.documents().branch(group.metadataBucket(), 0))
                .run()
                .equals(claimedIn);
    }

    /**
     * Saves the positions that the function has reached. Completes with the vbuckets that another node has taken over.
     */
    CompletableFuture<List<Integer>> save(Delivery delivery) {
        delivery.rest(); // what is reached from now on counts for the next time
        List<Checkpoint> moved = new ArrayList<>();
        owned.stream().forEach(vbucket -> {
            long reached = delivery.reached(vbucket);
            if (reached > saved[vbucket]) {
                moved.add(checkpoint(vbucket, reached, delivery.workerOf(vbucket)));
            }
        });
        if (moved.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        return environment.checkpoints().save(group, moved).whenComplete((fenced, failure) -> {
            if (failure == null) {
                moved.stream()
                        .filter(checkpoint -> !fenced.contains(checkpoint.vbucket()))
                        .forEach(checkpoint -> saved[checkpoint.vbucket()] = checkpoint.seqno());
            } else {
                delivery.move();
            }
        });
    }

    /**
     * Saves and releases vbuckets on which this node does not work any more. Completes with those that another node had
     * taken over before.
     *
     * @param delivery the last delivery, or null if there was none
     */
    CompletableFuture<List<Integer>> giveUp(VbucketSet vbuckets, @Nullable Delivery delivery) {
        List<Checkpoint> last = new ArrayList<>();
        vbuckets.and(owned).stream().forEach(vbucket -> {
            long reached = delivery == null ? saved[vbucket] : Math.max(saved[vbucket], delivery.reached(vbucket));
            last.add(checkpoint(vbucket, reached, "-"));
        });
        if (last.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        return environment.checkpoints().giveUp(group, last).whenComplete((fenced, failure) -> {
            if (failure == null) {
                owned = owned.minus(vbuckets);
                LOG.info("event=gave_up function={} vbuckets={} fenced={}", spec.name(), vbuckets, fenced.size());
            }
        });
    }

    /** Returns the owned vbuckets that another node has claimed since. */
    VbucketSet lost(Retry retry) throws InterruptedException {
        return owned.minus(stored(checkpoint -> checkpoint.epoch() == epochs[checkpoint.vbucket()], retry));
    }

    /**
     * Describes what Redis may have lost since the latest claim; an empty text when Redis is in the same run as then.
     */
    String lostWrites(Delivery delivery, Retry retry) throws InterruptedException {
        DocumentStore documents = environment.documents();
        Branch metadata = retry.call("metadata_run", () -> documents.branch(group.metadataBucket(), 0));
        if (metadata.run().equals(claimedIn)) {
            return "";
        }
        StringBuilder text = new StringBuilder(REDIS_REPLACED);
        for (int shard = 0; shard < source.shards(); shard++) {
            int one = shard;
            Branch branch =
                    retry.call("find_branch", () -> environment.source(spec).branch(source.name(), one));
            if (delivery.readOf(shard) != Delivery.NOT_OURS && delivery.readOf(shard) > branch.survived()) {
                text.append(" In shard %d, the newest remaining change is %d, but changes up to %d had been read."
                        .formatted(shard, branch.survived(), delivery.readOf(shard)));
            }
        }
        return text.toString();
    }

    private Checkpoint checkpoint(int vbucket, long seqno, String worker) {
        return new Checkpoint(
                vbucket,
                epochs[vbucket],
                seqno,
                uuid(vbucket),
                environment.clock().millis(),
                worker,
                environment.node());
    }

    private String uuid(int vbucket) {
        return HexFormat.of().toHexDigits(source.vbucketUuid(vbucket));
    }
}
