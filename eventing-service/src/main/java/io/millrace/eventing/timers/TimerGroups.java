package io.millrace.eventing.timers;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.Catalog;
import io.millrace.documents.VBuckets;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.timers.RetryPolicy;
import io.millrace.timers.TimerGroup;
import io.millrace.workerprotocol.HandlerSettings.TimerSettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** What a function's settings say about its timers. */
public final class TimerGroups {

    /** A partition whose earliest timer is overdue by so much has stopped. */
    public static final Duration STOPPED_AFTER = Duration.ofSeconds(10);

    private static final Duration LONGEST_PAUSE = Duration.ofHours(1);

    private TimerGroups() {}

    /** Returns where the timers of a function are: in all index shards of the metadata bucket, as the spec counts them. */
    public static TimerGroup group(FunctionSpec spec) {
        TimerSettings settings = spec.handler().timers();
        return new TimerGroup(
                spec.metadata().bucket(), settings.shards(), spec.functionId(), spec.instance(), settings.partitions());
    }

    /** Completes with where the timers of a function are; a bucket that is gone has none, wherever they are sought. */
    public static CompletableFuture<TimerGroup> find(FunctionSpec spec, Catalog catalog) {
        return groups(spec, catalog).thenApply(List::getFirst);
    }

    /** Completes with where the timers of a function may be: in a bucket that is gone, wherever they could have been. */
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
