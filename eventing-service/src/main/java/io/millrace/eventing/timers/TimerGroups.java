package io.millrace.eventing.timers;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.Catalog;
import io.millrace.documents.VBuckets;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.timers.TimerGroup;
import io.millrace.timers.firing.RetryPolicy;
import io.millrace.workerprotocol.HandlerSettings.TimerSettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** Locates the timers of a function, and reads its settings for them. */
public final class TimerGroups {

    /** A partition counts as stopped when its earliest timer is overdue by this much. */
    public static final Duration STOPPED_AFTER = Duration.ofSeconds(10);

    private static final Duration LONGEST_PAUSE = Duration.ofHours(1);

    private TimerGroups() {}

    /** Returns the group of a function's timers, with the number of shards that the spec contains. */
    public static TimerGroup group(FunctionSpec spec) {
        TimerSettings settings = spec.handler().timers();
        return new TimerGroup(
                spec.metadata().bucket(), settings.shards(), spec.functionId(), spec.instance(), settings.partitions());
    }

    /**
     * Completes with the group of a function's timers. If the metadata bucket does not exist there are no timers, and
     * any group will do.
     */
    public static CompletableFuture<TimerGroup> find(FunctionSpec spec, Catalog catalog) {
        return groups(spec, catalog).thenApply(List::getFirst);
    }

    /**
     * Completes with the groups in which timers of a function may be: if the metadata bucket does not exist, one for
     * each possible number of shards.
     */
    public static CompletableFuture<List<TimerGroup>> groups(FunctionSpec spec, Catalog catalog) {
        return catalog.find(spec.metadata().bucket())
                .thenApply(found -> found.map(BucketInfo::shards)
                        .map(Stream::of)
                        .orElseGet(() -> Stream.iterate(1, shards -> shards <= VBuckets.COUNT, shards -> shards * 2))
                        .map(shards -> group(spec.withTimerShards(shards)))
                        .toList());
    }

    public static RetryPolicy retries(FunctionSpec spec) {
        TimerSettings settings = spec.handler().timers();
        return new RetryPolicy(settings.attempts(), Duration.ofMillis(settings.retryPauseMillis()), LONGEST_PAUSE);
    }
}
