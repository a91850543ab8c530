package io.millrace.eventing.consumer;

import io.millrace.eventing.metrics.DeliveryMetrics;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps a worker running until its consumer is closed: one that died gets a successor, at once or after a pause. */
final class Supervision {

    private static final Logger LOG = LoggerFactory.getLogger(Supervision.class);

    private final String name;
    private final Backoff backoff;
    private final DeliveryMetrics metrics;

    private final BooleanSupplier closing;
    private final Supplier<Death> life;
    private final BooleanSupplier succeeded;
    private final Predicate<Death> afterDeath;
    private final Pause pause;

    /** Waits, but no longer than until the consumer closes. */
    interface Pause {
        void await(Duration atLeast) throws InterruptedException;
    }

    /**
     * @param life runs a worker to its end
     * @param succeeded whether another worker is ready to take the place of the one that has just ended
     * @param afterDeath prepares the work of the successor; returns whether the dead worker had handled any event
     */
    Supervision(
            String name,
            DeliverySettings settings,
            DeliveryMetrics metrics,
            BooleanSupplier closing,
            Supplier<Death> life,
            BooleanSupplier succeeded,
            Predicate<Death> afterDeath,
            Pause pause) {
        this.name = name;
        this.backoff = new Backoff(settings.firstBackoff(), settings.longestBackoff());
        this.metrics = metrics;
        this.closing = closing;
        this.life = life;
        this.succeeded = succeeded;
        this.afterDeath = afterDeath;
        this.pause = pause;
    }

    /** Completes {@code ended} when the consumer is closed, and {@code ready} as well when the supervision fails. */
    void run(CompletableFuture<Void> ready, CompletableFuture<Void> ended) {
        try {
            while (!closing.getAsBoolean()) {
                Death death = life.get();
                if (closing.getAsBoolean()) {
                    break;
                }
                if (succeeded.getAsBoolean()) {
                    continue;
                }
                if (afterDeath.test(death)) {
                    backoff.reset();
                }
                metrics.workerDied(name, death.reason());
                Duration wait = death.blameless() ? Duration.ZERO : backoff.next();
                LOG.warn(
                        "event=worker_died worker={} reason=\"{}\" successor_in_ms={}",
                        name,
                        death.reason(),
                        wait.toMillis());
                pause.await(wait);
            }
            ended.complete(null);
        } catch (Throwable e) {
            LOG.error("event=consumer_crashed worker={}", name, e);
            ready.completeExceptionally(e);
            ended.completeExceptionally(e);
        }
    }
}
