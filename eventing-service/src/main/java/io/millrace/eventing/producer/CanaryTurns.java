package io.millrace.eventing.producer;

import io.millrace.eventing.consumer.Acknowledgements;
import io.millrace.eventing.delivery.ConsumerGroup;
import io.millrace.eventing.metrics.FunctionLog;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.RuntimeEnvironment;
import io.millrace.eventing.runtime.StopSignal;
import io.millrace.rebalance.VbucketSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The workers of a canary in one pipeline: they are started in addition to those of the function, and get their vbuckets when the
 * loop that owns them has finished what is in flight.
 */
final class CanaryTurns {

    /**
     * A change of the workers that have the vbuckets of a canary.
     *
     * @param canary those that get them, or null for the function's own
     */
    private record Turn(@Nullable ConsumerGroup canary, VbucketSet vbuckets, CompletableFuture<Void> done) {}

    /** Finishes what is in flight, does something while nothing is delivered, and continues. */
    interface Change {
        void around(Runnable between) throws InterruptedException;
    }

    private final FunctionSpec spec;
    private final RuntimeEnvironment environment;
    private final FunctionLog log;
    private final BooleanSupplier gate;
    private final Acknowledgements acknowledgements;
    private final ConsumerGroup consumers;
    private final CompletableFuture<Void> broken;
    private final StopSignal stop;
    private final Runnable attention;
    private final AtomicReference<@Nullable Turn> wanted = new AtomicReference<>();

    /**
     * @param consumers those of the function
     * @param broken fails when a worker of a canary cannot be kept running
     * @param attention has {@link #take} called
     */
    CanaryTurns(
            FunctionSpec spec,
            RuntimeEnvironment environment,
            FunctionLog log,
            BooleanSupplier gate,
            Acknowledgements acknowledgements,
            ConsumerGroup consumers,
            CompletableFuture<Void> broken,
            StopSignal stop,
            Runnable attention) {
        this.spec = spec;
        this.environment = environment;
        this.log = log;
        this.gate = gate;
        this.acknowledgements = acknowledgements;
        this.consumers = consumers;
        this.broken = broken;
        this.stop = stop;
        this.attention = attention;
    }

    /** Has the workers of a canary take its vbuckets, or with null those of the function take them back. */
    CompletableFuture<Void> ask(@Nullable CanaryWatch next) {
        if (next == null) {
            return turned(null, VbucketSet.NONE);
        }
        int shards = spec.handler().timers().shards();
        ConsumerGroup workers = ConsumerGroup.ofCanary(
                next.spec(spec.workers().count()).withTimerShards(shards),
                environment,
                next.counts(),
                log,
                gate,
                acknowledgements);
        workers.crashed().exceptionally(failure -> {
            broken.completeExceptionally(failure);
            return null;
        });
        return workers.start()
                .thenCompose(ready -> turned(workers, next.canary().vbuckets()))
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        end(workers);
                    }
                });
    }

    private CompletableFuture<Void> turned(@Nullable ConsumerGroup canary, VbucketSet vbuckets) {
        Turn next = new Turn(canary, vbuckets, new CompletableFuture<>());
        wanted.set(next);
        attention.run();
        if (stop.stopped()) {
            close();
        }
        return next.done();
    }

    /** Carries out what is asked for, if anything is. */
    void take(Change change) throws InterruptedException {
        Turn next = wanted.getAndSet(null);
        if (next == null) {
            return;
        }
        AtomicReference<@Nullable ConsumerGroup> before = new AtomicReference<>();
        try {
            change.around(() -> before.set(consumers.attach(next.canary(), next.vbuckets())));
        } catch (InterruptedException | RuntimeException e) {
            next.done().completeExceptionally(e);
            throw e;
        } finally {
            ConsumerGroup replaced = before.get();
            if (replaced != null) {
                end(replaced);
            }
        }
        next.done().complete(null);
    }

    /** Ends workers that have nothing to do. */
    private void end(ConsumerGroup canary) {
        Thread.ofVirtual().name(spec.name() + "-canary-end").start(() -> {
            try {
                canary.close(environment.delivery().shutdownTimeout().multipliedBy(2));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** Refuses what is asked for and was not carried out. */
    void close() {
        Turn left = wanted.getAndSet(null);
        if (left != null) {
            left.done().completeExceptionally(new CancellationException("The function is being stopped"));
        }
    }
}
