package io.millrace.eventing.runtime;

import io.millrace.documents.DocumentStore;
import io.millrace.eventing.checkpoint.CheckpointStore;
import io.millrace.eventing.consumer.DeliverySettings;
import io.millrace.eventing.consumer.WorkerLauncher;
import io.millrace.eventing.deadletter.DeadLetterStore;
import io.millrace.eventing.kafka.KafkaTopics;
import io.millrace.eventing.lasthandled.LastHandledStore;
import io.millrace.eventing.topics.Channels;
import io.millrace.eventing.topics.TopicStore;
import io.millrace.rebalance.Layout;
import io.millrace.rebalance.VbucketSet;
import io.millrace.rebalance.ownership.OwnershipStep;
import io.millrace.timers.TimerStore;
import io.millrace.timers.firing.TimerWatch;
import io.millrace.traces.SpanSink;
import io.millrace.traces.TraceSampler;
import io.millrace.workerprotocol.HandlerSettings;
import java.time.Duration;
import java.time.InstantSource;

/**
 * Everything outside of a function that running it needs.
 *
 * @param node the name of this node in checkpoints, without blanks
 * @param redisUri the Redis that holds the documents, for workers
 * @param timerWatch wakes functions whose timers fall due
 * @param membership the nodes that share the vbuckets
 * @param sampler decides which events of streams are traced
 * @param spans takes what functions do with changes that are traced
 * @param topics where functions that handle messages in Redis read them
 * @param channels where functions that handle messages of channels listen
 * @param kafka where functions that handle messages in Kafka read them
 */
public record RuntimeEnvironment(
        String node,
        String redisUri,
        DocumentStore documents,
        CheckpointStore checkpoints,
        WorkerLauncher workers,
        LogSink log,
        InstantSource clock,
        RuntimeSettings settings,
        DeliverySettings delivery,
        HandlerSettings.Access access,
        TimerStore timers,
        TimerWatch timerWatch,
        DeadLetterStore deadLetters,
        LastHandledStore lastHandled,
        Membership membership,
        TraceSampler sampler,
        SpanSink spans,
        TopicStore topics,
        Channels channels,
        KafkaTopics kafka) {

    /**
     * The limits of a running function.
     *
     * @param pageRows the most changes read from the feed at once
     * @param pageBytes the target size of a page: with large documents fewer changes are read at once
     * @param firstRetry the pause before a failed call to Redis is repeated; doubles with each failure
     * @param longestRetry where the doubling ends
     * @param firstRestart the pause before a function that failed is restarted; doubles with each failure
     * @param longestRestart where the doubling ends
     * @param drainTimeout how long events in flight may take when a function is paused
     * @param lastSaveTimeout how long saving the last checkpoints may take; afterwards some events are handled again
     */
    public record RuntimeSettings(
            int pageRows,
            long pageBytes,
            Duration firstRetry,
            Duration longestRetry,
            Duration firstRestart,
            Duration longestRestart,
            Duration drainTimeout,
            Duration lastSaveTimeout) {

        public static final RuntimeSettings DEFAULT = new RuntimeSettings(
                1000,
                8L * 1024 * 1024,
                Duration.ofMillis(50),
                Duration.ofSeconds(1),
                Duration.ofMillis(200),
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                Duration.ofSeconds(10));
    }

    /** Returns the store that the source of a function is read from; its metadata are in {@link #documents}. */
    public DocumentStore source(FunctionSpec spec) {
        if (spec.source().ofMessages()) {
            return TopicMessages.documents(documents);
        }
        return spec.source().ofEvents() ? EventStreams.documents(documents) : documents;
    }

    /** Returns whether other nodes may claim what this node loses. This node itself need not be a member any more. */
    public boolean shared() {
        return membership.shared(node);
    }

    /** Returns the vbuckets that this node should own of each function. */
    public VbucketSet planned() {
        return membership.plan(membership.layout()).of(node);
    }

    /** Returns the next step towards the plan for the vbuckets of a function. */
    public OwnershipStep next(VbucketSet owned) {
        Layout layout = membership.layout();
        return OwnershipStep.next(layout, membership.plan(layout), node, owned);
    }
}
