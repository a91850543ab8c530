package io.millrace.eventing.producer;

import io.millrace.documents.DocumentStore;
import io.millrace.eventing.checkpoint.CheckpointStore;
import io.millrace.eventing.checkpoint.DeadLetterStore;
import io.millrace.eventing.checkpoint.LastHandledStore;
import io.millrace.eventing.checkpoint.MemoryDeadLetterStore;
import io.millrace.eventing.checkpoint.MemoryLastHandledStore;
import io.millrace.eventing.consumer.DeliverySettings;
import io.millrace.eventing.consumer.WorkerLauncher;
import io.millrace.rebalance.Layout;
import io.millrace.rebalance.OwnershipStep;
import io.millrace.rebalance.VbucketSet;
import io.millrace.timers.MemoryTimerStore;
import io.millrace.timers.TimerStore;
import java.time.InstantSource;

/**
 * What functions run on.
 *
 * @param node names this node in checkpoints; has no blank
 * @param redisUri where workers find the documents
 * @param membership who shares the vbuckets
 */
record RuntimeEnvironment(
        String node,
        String redisUri,
        DocumentStore documents,
        CheckpointStore checkpoints,
        WorkerLauncher workers,
        LogSink log,
        InstantSource clock,
        ProducerSettings settings,
        DeliverySettings delivery,
        WorkerAccess access,
        TimerStore timers,
        DeadLetterStore deadLetters,
        LastHandledStore lastHandled,
        Membership membership) {

    RuntimeEnvironment(
            String node,
            String redisUri,
            DocumentStore documents,
            CheckpointStore checkpoints,
            WorkerLauncher workers,
            LogSink log,
            InstantSource clock,
            ProducerSettings settings,
            DeliverySettings delivery) {
        this(
                node,
                redisUri,
                documents,
                checkpoints,
                workers,
                log,
                clock,
                settings,
                delivery,
                WorkerAccess.NOTHING_SPECIAL,
                new MemoryTimerStore(),
                new MemoryDeadLetterStore(checkpoints),
                new MemoryLastHandledStore(checkpoints),
                Membership.alone(node));
    }

    /** Returns whether there are others, who may take over what this node loses; it may be no member itself any more. */
    boolean shared() {
        return membership.layout().members().stream().anyMatch(member -> !member.equals(node));
    }

    /** Returns what this node should own of each function. */
    VbucketSet planned() {
        return membership.plan(membership.layout()).of(node);
    }

    /** Returns what is to be done about the vbuckets of a function. */
    OwnershipStep next(VbucketSet owned) {
        Layout layout = membership.layout();
        return OwnershipStep.next(layout, membership.plan(layout), node, owned);
    }
}
