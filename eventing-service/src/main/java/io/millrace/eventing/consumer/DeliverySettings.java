package io.millrace.eventing.consumer;

import io.millrace.workerprotocol.WorkerProtocolLimits;
import java.time.Duration;

/**
 * The limits of delivery to one worker, each with its unit.
 *
 * @param batchEvents the most events in one batch
 * @param batchBytes a batch that weighs so many bytes takes no further event
 * @param batchTime a batch is made as small as handling it takes about so long, so that a slow handler can be paused
 * @param windowBatches how many batches may be unacknowledged per thread
 * @param waitingEvents a thread with so many events waiting takes no more: the feed is then not read
 * @param waitingBytes a thread whose waiting events weigh so much takes no more
 * @param startTimeout how long a worker may take from its start until it is ready
 * @param answerGrace how long a worker may be late, beyond what its events may take, before it is killed
 * @param silenceTimeout a worker of which nothing was heard for so long, not even a sign of life, is killed
 * @param shutdownTimeout how long a worker may take to end by itself
 * @param watchInterval how often the deadlines above are looked at
 * @param firstBackoff how long to wait before the first successor of a worker that died; doubles with each further one
 * @param longestBackoff where the doubling ends
 * @param poisonDeaths an event in flight at so many deaths of its worker in a row is given up
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

    /** What is used where nothing else is said. */
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
