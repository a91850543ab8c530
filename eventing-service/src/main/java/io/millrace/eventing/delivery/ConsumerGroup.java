package io.millrace.eventing.delivery;

import io.millrace.eventing.consumer.Acknowledgements;
import io.millrace.eventing.consumer.Calls;
import io.millrace.eventing.consumer.Consumer;
import io.millrace.eventing.consumer.RequestResult;
import io.millrace.eventing.metrics.FunctionCounts;
import io.millrace.eventing.metrics.FunctionLog;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.RuntimeEnvironment;
import io.millrace.eventing.runtime.RuntimeStats;
import io.millrace.eventing.runtime.WorkerNotes;
import io.millrace.rebalance.VbucketSet;
import io.millrace.workerprotocol.HttpRequest;
import io.millrace.workerprotocol.WorkerSetup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The consumers of a function on this node, one per worker. */
public final class ConsumerGroup {

    private static final Logger LOG = LoggerFactory.getLogger(ConsumerGroup.class);

    private final FunctionSpec spec;
    private final List<Consumer> consumers = new ArrayList<>();

    /** Those that have some vbuckets in place of these. */
    private volatile @Nullable ConsumerGroup canary;

    private volatile VbucketSet canaryVbuckets = VbucketSet.NONE;

    /** @param gate whether events may be sent to workers now */
    public ConsumerGroup(
            FunctionSpec spec,
            RuntimeEnvironment environment,
            FunctionCounts counts,
            FunctionLog log,
            BooleanSupplier gate,
            Acknowledgements acknowledgements) {
        this(spec, "", environment, counts, log, gate, acknowledgements);
    }

    private ConsumerGroup(
            FunctionSpec spec,
            String kind,
            RuntimeEnvironment environment,
            FunctionCounts counts,
            FunctionLog log,
            BooleanSupplier gate,
            Acknowledgements acknowledgements) {
        this.spec = spec;
        WorkerSetup setup = spec.setup(environment.redisUri(), environment.access());
        for (int worker = 0; worker < spec.workers().count(); worker++) {
            consumers.add(new Consumer(
                    "worker_" + spec.name() + kind + "_" + worker,
                    setup,
                    spec.workers().placement(),
                    environment.workers(),
                    environment.delivery(),
                    counts,
                    log,
                    gate,
                    acknowledgements));
        }
    }

    /** Returns the consumers of a canary; {@link #attach} gives them vbuckets. Parameters are as for a function. */
    public static ConsumerGroup ofCanary(
            FunctionSpec spec,
            RuntimeEnvironment environment,
            FunctionCounts counts,
            FunctionLog log,
            BooleanSupplier gate,
            Acknowledgements acknowledgements) {
        return new ConsumerGroup(spec, "_canary", environment, counts, log, gate, acknowledgements);
    }

    /**
     * Lets the consumers of a canary have some vbuckets in the deliveries that begin from now on; null for none. Nothing may be
     * delivered meanwhile. Returns those that had some before.
     */
    public @Nullable ConsumerGroup attach(@Nullable ConsumerGroup next, VbucketSet vbuckets) {
        ConsumerGroup before = canary;
        canary = next;
        canaryVbuckets = vbuckets;
        return before;
    }

    VbucketSet canaryVbuckets() {
        return canaryVbuckets;
    }

    int canaryWorkers() {
        ConsumerGroup attached = canary;
        return attached == null ? 0 : attached.consumers.size();
    }

    /** Returns the consumers with those of a canary behind them. */
    private List<Consumer> all() {
        ConsumerGroup attached = canary;
        return attached == null
                ? consumers
                : Stream.concat(consumers.stream(), attached.consumers.stream()).toList();
    }

    /** Starts every worker as {@link #start} does, without waiting until they have loaded the code: it has been loaded before. */
    public CompletableFuture<Void> startKnown() {
        consumers.forEach(consumer -> consumer.calls().known());
        return start();
    }

    /** Starts every worker. Completes when all are ready, exceptionally as soon as one cannot run the handler. */
    public CompletableFuture<Void> start() {
        CompletableFuture<Void> ready = new CompletableFuture<>();
        List<CompletableFuture<Void>> each =
                consumers.stream().map(Consumer::start).toList();
        each.forEach(one -> one.exceptionally(failure -> {
            ready.completeExceptionally(failure);
            return null;
        }));
        CompletableFuture.allOf(each.toArray(CompletableFuture[]::new)).thenRun(() -> ready.complete(null));
        return ready;
    }

    /** Completes exceptionally when a consumer crashes. */
    public CompletableFuture<Void> crashed() {
        CompletableFuture<Void> crashed = new CompletableFuture<>();
        consumers.forEach(consumer -> consumer.ended().exceptionally(failure -> {
            crashed.completeExceptionally(failure);
            return null;
        }));
        return crashed;
    }

    /** Returns the consumer of a lane. */
    public Consumer ofLane(int lane) {
        return all().get(lane / spec.workers().threads());
    }

    /** Has OnRequest called by the worker with the fewest requests. Blocks as long as its link does. */
    public CompletableFuture<RequestResult> request(HttpRequest request, Duration timeout) {
        return consumers.stream()
                .map(Consumer::calls)
                .min(Comparator.comparingInt(Calls::load))
                .orElseThrow()
                .request(request, timeout);
    }

    /**
     * Has every worker take other code, one after another: what the first one rejects, none has taken. Blocks as long as its
     * link does.
     */
    public CompletableFuture<Void> swap(WorkerSetup next) {
        CompletableFuture<Void> all = CompletableFuture.completedFuture(null);
        for (Consumer consumer : consumers) {
            all = all.thenCompose(done -> consumer.calls().swap(next));
        }
        return all;
    }

    /** Sends events that the gate held back and lets pass now. */
    public void sendWaiting() {
        all().forEach(Consumer::sendWaiting);
    }

    public void stopTaking() {
        all().forEach(Consumer::stopTaking);
    }

    /** Drops events that were taken and not sent, and takes events again. */
    public void resumeTaking() {
        all().forEach(Consumer::resumeTaking);
    }

    /** Waits until every event that was sent is acknowledged; returns false on a timeout. */
    public boolean drain(Duration atMost) throws InterruptedException {
        stopTaking();
        long end = System.nanoTime() + atMost.toNanos();
        boolean drained = true;
        for (Consumer consumer : all()) {
            if (!consumer.drain(Duration.ofNanos(Math.max(0, end - System.nanoTime())))) {
                LOG.warn(
                        "event=drain_timeout function={} worker={} unacknowledged={}",
                        spec.name(),
                        consumer.name(),
                        consumer.unacknowledged());
                drained = false;
            }
        }
        return drained;
    }

    /** Ends the workers after what they are doing. */
    public void close(Duration atMost) throws InterruptedException {
        await(all().stream().map(Consumer::close).toList(), atMost);
    }

    /** Ends the workers at once; returns false when some of them have not ended in time. */
    public boolean kill(Duration atMost) throws InterruptedException {
        return await(all().stream().map(Consumer::kill).toList(), atMost);
    }

    private boolean await(List<CompletableFuture<Void>> ends, Duration atMost) throws InterruptedException {
        try {
            CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).get(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            LOG.debug("event=consumer_ended_badly function={}", spec.name(), e);
        } catch (TimeoutException e) {
            LOG.warn("event=workers_linger function={} after_ms={}", spec.name(), atMost.toMillis());
            return false;
        }
        return true;
    }

    /** Returns what is out of the ordinary about the workers. */
    public WorkerNotes notes() {
        return new WorkerNotes(reasons(Consumer::apart), reasons(Consumer::waitsFor));
    }

    private Map<String, String> reasons(Function<Consumer, String> reason) {
        Map<String, String> reasons = new TreeMap<>();
        for (Consumer consumer : all()) {
            String found = reason.apply(consumer);
            if (!found.isEmpty()) {
                reasons.put(consumer.name(), found);
            }
        }
        return reasons;
    }

    public long unacknowledged() {
        return all().stream().mapToLong(Consumer::unacknowledged).sum();
    }

    public long waitingBytes() {
        return all().stream().mapToLong(Consumer::waitingBytes).sum();
    }

    /** @param shares the vbuckets of each worker */
    public List<RuntimeStats.Worker> workers(List<VbucketSet> shares) {
        List<RuntimeStats.Worker> workers = new ArrayList<>();
        List<Consumer> all = all();
        for (int i = 0; i < Math.min(all.size(), shares.size()); i++) {
            Consumer consumer = all.get(i);
            workers.add(new RuntimeStats.Worker(
                    consumer.name(), consumer.pid(), consumer.runtime(), consumer.apart(), shares.get(i)));
        }
        return workers;
    }
}
