package io.millrace.eventing.producer;

import io.millrace.timers.RetryPolicy;
import io.millrace.timers.TimerGroup;
import io.millrace.workerlink.HandlerSettings.TimerSettings;
import java.time.Duration;

/** What a function's settings say about its timers. */
public final class Timers {

    /** Timers lie beside the checkpoints, in the first index shard of the metadata bucket. */
    private static final int SHARDS = 1;

    /** A partition whose earliest timer is overdue by so much has stopped. */
    public static final Duration STOPPED_AFTER = Duration.ofSeconds(10);

    private static final Duration LONGEST_PAUSE = Duration.ofHours(1);

    private Timers() {}

    /** Returns where the timers of a function are. */
    public static TimerGroup group(FunctionSpec spec) {
        TimerSettings settings = spec.handler().timers();
        return new TimerGroup(
                spec.metadata().bucket(), SHARDS, spec.functionId(), spec.instance(), settings.partitions());
    }

    static RetryPolicy retries(FunctionSpec spec) {
        TimerSettings settings = spec.handler().timers();
        return new RetryPolicy(settings.attempts(), Duration.ofMillis(settings.retryPauseMillis()), LONGEST_PAUSE);
    }
}
