package io.millrace.eventing.consumer;

import io.millrace.workerprotocol.WorkerProtocolLimits;
import java.time.Duration;

/**
 * The limits of delivery to one worker.
 *
 * @param batchEvents the most events in one batch
 * @param batchBytes a batch of this size in bytes takes no further event
 * @param batchTime the time that handling a batch should take; with a slow handler batches are smaller, so that it can
 *     be paused
 * @param windowBatches how many batches may be unacknowledged per thread
 * @param waitingEvents the most events that wait for a thread; at this number the feed is not read any further
 * @param waitingBytes the total size of these events in bytes, likewise
 * @param startTimeout how long a worker may take to become ready while its process uses no processor time
 * @param answerGrace how long a worker may be late, beyond what its events may take, before it is killed
 * @param silenceTimeout a worker is killed when nothing was received from it for this long
 * @param shutdownTimeout how long a worker may take to end by itself
 * @param watchInterval how often the deadlines above are checked
 * @param firstBackoff the pause before the first successor of a worker that died; doubles with each further one
 * @param longestBackoff where the doubling ends
 * @param poisonDeaths an event is given up after this many consecutive deaths of its worker while it was in flight
 */
public record DeliverySettings(
        int batchEvents,
        int batchBytes,
        Duration batchTime,
        int windowBatches,
        int waitingEvents,
        long waitingBytes,
        Duration startTimeout,
        Duration answerGrace,
        Duration silenceTimeout,
        Duration shutdownTimeout,
        Duration watchInterval,
        Duration firstBackoff,
        Duration longestBackoff,
        int poisonDeaths) {

    /** The settings of the service. */
    public static final DeliverySettings DEFAULT = new DeliverySettings(
            WorkerProtocolLimits.MAX_BATCH_EVENTS,
            WorkerProtocolLimits.FULL_BATCH_BYTES,
            Duration.ofMillis(50),
            4,
            1000,
            16L * 1024 * 1024,
            Duration.ofSeconds(60),
            Duration.ofSeconds(20),
            Duration.ofSeconds(60),
            Duration.ofSeconds(5),
            Duration.ofMillis(500),
            Duration.ofMillis(100),
            Duration.ofSeconds(5),
            5);
}
