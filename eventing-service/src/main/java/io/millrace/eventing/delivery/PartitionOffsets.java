package io.millrace.eventing.delivery;

import io.millrace.eventing.checkpoint.CheckpointGroup;
import io.millrace.eventing.kafka.KafkaReader;
import io.millrace.eventing.lasthandled.LastHandledStore;
import io.millrace.eventing.lasthandled.LastHandledStore.Handled;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.FunctionSpec.FeedBoundary;
import io.millrace.eventing.runtime.Retry;
import io.millrace.eventing.runtime.RuntimeEnvironment;
import io.millrace.eventing.runtime.StopSignal;
import io.millrace.rebalance.VbucketSet;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far a function has handled each partition of its topic of Kafka: kept with its checkpoints, and written only by the owner
 * of the partition's vbucket, so that a node that has lost it moves no offset.
 */
final class PartitionOffsets {

    private static final Logger LOG = LoggerFactory.getLogger(PartitionOffsets.class);

    private final FunctionSpec spec;
    private final LastHandledStore store;
    private final CheckpointGroup group;
    private final VbucketSet share;
    private final IntToLongFunction epochs;
    private final IntUnaryOperator vbuckets;
    private final Retry retry;
    private final Duration atMost;

    /**
     * @param epochs returns the epoch of an owned vbucket
     * @param vbuckets returns the vbucket of a partition
     */
    PartitionOffsets(
            FunctionSpec spec,
            RuntimeEnvironment environment,
            VbucketSet share,
            IntToLongFunction epochs,
            IntUnaryOperator vbuckets,
            StopSignal stop) {
        this.spec = spec;
        this.store = environment.lastHandled();
        this.group = spec.checkpoints();
        this.share = share;
        this.epochs = epochs;
        this.vbuckets = vbuckets;
        this.retry = new Retry(spec.name(), stop, environment.settings());
        this.atMost = environment.settings().lastSaveTimeout();
    }

    /**
     * Returns from which offset on each of some partitions is handled. A function that starts from now begins behind what there
     * is when it looks for the first time, and with the first message of partitions that are added later.
     */
    Map<Integer, Long> starts(List<Integer> partitions, KafkaReader reader) throws InterruptedException {
        Map<Integer, Long> starts = new HashMap<>();
        List<Integer> fresh = new ArrayList<>();
        List<byte @Nullable []> known =
                recall(partitions.stream().map(PartitionOffsets::name).toList());
        for (int i = 0; i < partitions.size(); i++) {
            byte[] offset = known.get(i);
            if (offset == null) {
                fresh.add(partitions.get(i));
            } else {
                starts.put(partitions.get(i), Long.parseLong(new String(offset, StandardCharsets.US_ASCII)));
            }
        }
        if (spec.source().boundary() == FeedBoundary.FROM_NOW) {
            starts.putAll(fromNow(fresh, reader));
        } else if (!fresh.isEmpty()) {
            long since = spec.source().after();
            starts.putAll(since > 0 ? reader.since(fresh, since) : reader.firsts(fresh));
        }
        return starts;
    }

    private Map<Integer, Long> fromNow(List<Integer> fresh, KafkaReader reader) throws InterruptedException {
        List<Integer> all = share.stream().boxed().toList();
        List<byte @Nullable []> begun =
                recall(all.stream().map(PartitionOffsets::begun).toList());
        List<Handled> marks = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            if (begun.get(i) == null) {
                marks.add(handled(all.get(i), begun(all.get(i)), 1));
            }
        }
        Map<Integer, Long> starts = fresh.isEmpty() ? new HashMap<>() : new HashMap<>(reader.firsts(fresh));
        List<Integer> first = fresh.stream()
                .filter(partition -> begun.get(all.indexOf(vbuckets.applyAsInt(partition))) == null)
                .toList();
        if (!first.isEmpty()) {
            starts.putAll(reader.ends(first));
        }
        remember(fresh.stream()
                .map(partition ->
                        handled(vbuckets.applyAsInt(partition), name(partition), starts.getOrDefault(partition, 0L)))
                .toList());
        remember(marks);
        return starts;
    }

    private List<byte @Nullable []> recall(List<String> names) throws InterruptedException {
        return retry.call("recall_offsets", () -> store.recall(group, names));
    }

    private void remember(List<Handled> states) throws InterruptedException {
        if (!states.isEmpty()) {
            retry.call("remember_offsets", () -> store.remember(group, states));
        }
    }

    private Handled handled(int vbucket, String name, long value) {
        return new Handled(
                vbucket, epochs.applyAsLong(vbucket), name, Long.toString(value).getBytes(StandardCharsets.US_ASCII));
    }

    private static String name(int partition) {
        return "partition " + partition;
    }

    private static String begun(int vbucket) {
        return "begun " + vbucket;
    }

    /**
     * Stores from which offset on a partition is handled; repeats that until it succeeds or the delivery ends. Returns whether it
     * is stored: not when another node has the vbucket by now.
     */
    boolean remember(OpenPartition partition, long offset) throws InterruptedException {
        List<Handled> state = List.of(handled(partition.vbucket(), name(partition.number()), offset));
        Optional<Integer> fenced = retry.inTime(
                atMost,
                () -> store.remember(group, state),
                failure -> LOG.warn(
                        "event=offset_failed function={} partition={} reason=\"{}\"",
                        spec.name(),
                        partition.number(),
                        failure.toString()));
        return fenced.equals(Optional.of(0));
    }
}
