package io.millrace.eventing.producer;

import io.millrace.documents.BucketInfo;
import io.millrace.eventing.delivery.ConsumerGroup;
import io.millrace.eventing.delivery.Delivery;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.RuntimeEnvironment;
import io.millrace.eventing.runtime.RuntimeStats;
import io.millrace.eventing.timers.TimerGroups;
import io.millrace.timers.TimerGroup;
import io.millrace.timers.TimerStore.TimerCounts;
import io.millrace.timers.firing.TimerScanner.PartitionScan;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A pipeline as its statistics show it.
 *
 * @param delivery the present one, or null before the first
 */
record PipelineStats(
        FunctionSpec spec,
        RuntimeEnvironment environment,
        BucketInfo source,
        ConsumerGroup consumers,
        @Nullable Delivery delivery) {

    long waitingBytes() {
        return consumers.waitingBytes();
    }

    long unacknowledged() {
        return consumers.unacknowledged();
    }

    List<RuntimeStats.Worker> workers() {
        return delivery == null ? List.of() : consumers.workers(delivery.shares());
    }

    /** Completes with the state of the timers; counts them only if there are any. */
    CompletableFuture<RuntimeStats.TimerState> timers() {
        if (delivery == null) {
            return CompletableFuture.completedFuture(RuntimeStats.TimerState.NONE);
        }
        TimerGroup group = TimerGroups.group(spec);
        List<PartitionScan> partitions = delivery.timerPartitions();
        Set<Integer> owned = partitions.stream().map(PartitionScan::partition).collect(Collectors.toSet());
        long stoppedBefore = environment.clock().millis() - TimerGroups.STOPPED_AFTER.toMillis();
        return environment.timers().directory(group, owned, group.partitions()).thenCompose(directory -> {
            int stopped = (int) directory.stream()
                    .filter(entry -> owned.contains(entry.partition()) && entry.due() < stoppedBefore)
                    .count();
            CompletableFuture<Long> pending = directory.isEmpty()
                    ? CompletableFuture.completedFuture(0L)
                    : environment.timers().counts(group).thenApply(TimerCounts::pending);
            return pending.thenApply(count -> new RuntimeStats.TimerState(count, stopped, partitions));
        });
    }

    /** Returns the age of the oldest unhandled change in seconds; 0 when there is none. */
    long lagSeconds() {
        long oldest = delivery == null ? Long.MAX_VALUE : delivery.oldest();
        long now = environment.clock().instant().getEpochSecond();
        return oldest == Long.MAX_VALUE ? 0 : Math.max(0, now - oldest);
    }

    /** Completes with the number of unhandled changes. */
    CompletableFuture<Long> backlog() {
        CompletableFuture<Long> sum = CompletableFuture.completedFuture(
                consumers.unacknowledged() + (delivery == null ? 0 : delivery.held()));
        for (int shard = 0; delivery != null && shard < source.shards(); shard++) {
            if (delivery.readOf(shard) != Delivery.NOT_OURS) {
                double share = delivery.shareOf(shard);
                sum = sum.thenCombine(
                        environment.source(spec).backlog(source.name(), shard, delivery.readOf(shard)),
                        (total, unread) -> total + (long) Math.ceil(unread * share));
            }
        }
        return sum;
    }
}
