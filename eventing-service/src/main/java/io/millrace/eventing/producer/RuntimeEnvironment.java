package io.millrace.eventing.producer;

import io.millrace.documents.DocumentStore;
import io.millrace.eventing.checkpoint.CheckpointStore;
import io.millrace.eventing.consumer.DeliverySettings;
import io.millrace.eventing.consumer.WorkerLauncher;
import io.millrace.timers.MemoryTimerStore;
import io.millrace.timers.TimerStore;
import java.time.InstantSource;

/**
 * What functions run on.
 *
 * @param node names this node in checkpoints; has no blank
 * @param redisUri where workers find the documents
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
        TimerStore timers) {

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
                new MemoryTimerStore());
    }
}
