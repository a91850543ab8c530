package io.millrace.eventing.producer;

import io.millrace.documents.BucketInfo;
import io.millrace.eventing.consumer.FunctionCounts;
import io.millrace.eventing.consumer.FunctionLog;
import io.millrace.eventing.timers.TimerFiring;
import io.millrace.timers.Schedules;
import io.millrace.workerlink.Event;
import io.millrace.workerlink.Frame;
import io.millrace.workerlink.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One life of a producer's machinery: consumers with their workers, a reader per shard, and the loop that saves
 * checkpoints. A crash anywhere in it ends the whole; the producer then makes another one, which starts from the
 * checkpoints.
 */
final class Pipeline {

    private static final Logger LOG = LoggerFactory.getLogger(Pipeline.class);

    private final FunctionSpec spec;
    private final RuntimeEnvironment environment;
    private final FunctionCounts counts;
    private final BucketInfo source;
    private final Route route;
    private final Progress progress;
    private final Crew crew;
    private final TimerFiring timers;
    private final StopSignal stop = new StopSignal();
    private final CompletableFuture<Void> broken = new CompletableFuture<>();
    private final List<ShardReader> readers = new ArrayList<>();
    private final List<Thread> loops = new ArrayList<>();
    private @Nullable Checkpoints checkpoints;

    /** The vbuckets of the function belong to another node now. */
    static final class Fenced extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Fenced(int vbuckets) {
            super("%d vbuckets of the function were taken over by another node".formatted(vbuckets));
        }
    }

    Pipeline(
            FunctionSpec spec,
            RuntimeEnvironment environment,
            FunctionCounts counts,
            FunctionLog log,
            BucketInfo source) {
        this.spec = spec;
        this.environment = environment;
        this.counts = counts;
        this.source = source;
        this.route = Route.of(VbucketRange.ALL, spec.workerCount(), spec.threadsPerWorker());
        this.progress = new Progress(source.shards());
        this.crew = new Crew(spec, environment, route, counts, log, this::acknowledged);
        this.timers = new TimerFiring(
                spec.name(),
                environment.timers(),
                Timers.group(spec),
                environment.clock(),
                Timers.retries(spec),
                Schedules.parse(spec.handler().timers().schedules()),
                this::deliverTimers,
                lag -> counts.timerLagMicros().record(Math.max(0, lag) * 1000, 1));
    }

    private void acknowledged(Event event, Outcome outcome) {
        if (event.kind() == Event.Kind.TIMER) {
            timers.ended(event, outcome);
        } else {
            progress.acknowledged(event.vbucket(), event.seqno());
        }
    }

    private boolean deliverTimers(int vbucket, List<Event> events) throws InterruptedException {
        int lane = route.laneOf(vbucket);
        return crew.ofLane(lane).submit(route.threadOfLane(lane), events, System.nanoTime());
    }

    /**
     * Starts everything and returns when events flow. The handler is tried first: one that is rejected leaves no
     * checkpoints behind.
     *
     * @throws ExecutionException with the reason why a consumer could not start
     * @throws CancellationException when the producer is stopped meanwhile
     */
    void open(StopSignal producerStop, Retry retry, @Nullable DeployAction action)
            throws InterruptedException, ExecutionException {
        CompletableFuture<Void> ready = crew.start();
        CompletableFuture.anyOf(ready, producerStop.future()).get();
        if (producerStop.stopped()) {
            throw new CancellationException("The function is being stopped");
        }
        Checkpoints claimed = Checkpoints.claim(spec, environment, source, route, retry);
        checkpoints = claimed;
        progress.begin(claimed.start());
        retry.call("open_timers", () -> environment.timers().open(Timers.group(spec)));
        if (action != null) {
            deploy(action, producerStop);
        }
        retry.call("take_timers", () -> timers.start(claimed.epoch()));
        crew.crashed().exceptionally(failure -> {
            broken.completeExceptionally(failure);
            return null;
        });
        ShardReader.Shared shared = new ShardReader.Shared(
                spec,
                environment.documents(),
                source.shards(),
                route,
                crew,
                progress,
                environment.settings(),
                stop,
                counts.counters());
        for (int shard = 0; shard < source.shards(); shard++) {
            ShardReader reader = new ShardReader(shared, shard);
            readers.add(reader);
            loop("reader-" + shard, reader::run);
        }
        loop("checkpoints", () -> saveRegularly(claimed));
    }

    /** Calls OnDeploy, which decides whether the function runs. */
    private void deploy(DeployAction action, StopSignal producerStop) throws InterruptedException {
        CompletableFuture<Outcome> answer = crew.ofLane(0)
                .deploy(new Frame.Deploy(
                        action.reason(),
                        action.delay().toMillis(),
                        action.timeout().toMillis()));
        Duration patience = action.timeout().plus(environment.delivery().answerGrace());
        try {
            CompletableFuture.anyOf(answer, producerStop.future()).get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw DeployRejected.byHandler("OnDeploy failed: " + Retry.cause(e).getMessage(), 0, 0);
        } catch (TimeoutException e) {
            throw DeployRejected.byHandler("OnDeploy did not end within " + patience.toSeconds() + " s", 0, 0);
        }
        if (!answer.isDone()) {
            throw new CancellationException("The function is being stopped");
        }
        Outcome outcome = answer.resultNow();
        if (!outcome.ok()) {
            throw DeployRejected.byHandler("OnDeploy failed: " + outcome.message(), outcome.line(), outcome.column());
        }
    }

    private interface Loop {
        void run() throws InterruptedException;
    }

    private void loop(String name, Loop body) {
        loops.add(Thread.ofVirtual().name(spec.name() + "-" + name).start(() -> {
            try {
                body.run();
            } catch (Throwable e) {
                broken.completeExceptionally(e);
            }
        }));
    }

    /** Returns why the pipeline broke, or null when the producer was told to stop. */
    @Nullable
    Throwable awaitEnd(StopSignal producerStop) throws InterruptedException {
        try {
            CompletableFuture.anyOf(broken, producerStop.future()).get();
            return null;
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    private void saveRegularly(Checkpoints claimed) throws InterruptedException {
        while (!stop.await(spec.checkpointInterval())) {
            try {
                save(claimed, environment.settings().lastSaveTimeout());
            } catch (ExecutionException | TimeoutException e) {
                LOG.warn("event=checkpoint_failed function={} reason=\"{}\"", spec.name(), e.toString());
            }
        }
    }

    private void save(Checkpoints claimed, Duration atMost)
            throws InterruptedException, ExecutionException, TimeoutException {
        try {
            List<Integer> fenced = claimed.save(progress).get(atMost.toNanos(), TimeUnit.NANOSECONDS);
            if (!fenced.isEmpty()) {
                counts.counters().of("dcp_mutation_checkpoint_cas_mismatch").add(fenced.size());
                throw new Fenced(fenced.size());
            }
        } catch (ExecutionException | TimeoutException e) {
            counts.counters().of("checkpoint_failure_count").increment();
            throw e;
        }
    }

    /**
     * Ends everything. In good order, events in flight are finished and the checkpoints saved; otherwise the workers are
     * killed and the checkpoints stay as they are.
     */
    void close(boolean inGoodOrder) throws InterruptedException {
        stop.stop();
        crew.stopTaking();
        readers.forEach(ShardReader::close);
        timers.stopFiring();
        Duration patience = environment.delivery().shutdownTimeout().multipliedBy(2);
        if (!inGoodOrder) {
            crew.kill(patience);
            timers.close();
            return;
        }
        crew.drain(environment.settings().drainTimeout());
        for (Thread loop : loops) {
            loop.join();
        }
        timers.close();
        Checkpoints claimed = checkpoints;
        if (claimed != null) {
            saveLast(claimed);
        }
        crew.close(patience);
    }

    private void saveLast(Checkpoints claimed) throws InterruptedException {
        long end = System.nanoTime() + environment.settings().lastSaveTimeout().toNanos();
        while (true) {
            long left = end - System.nanoTime();
            try {
                save(claimed, Duration.ofNanos(Math.max(1, left)));
                return;
            } catch (Fenced e) {
                LOG.warn("event=fenced function={} reason=\"{}\"", spec.name(), e.getMessage());
                return;
            } catch (ExecutionException | TimeoutException e) {
                if (left <= 0) {
                    LOG.warn("event=last_checkpoint_failed function={} reason=\"{}\"", spec.name(), e.toString());
                    return;
                }
            }
            Thread.sleep(environment.settings().firstRetry());
        }
    }

    long waitingBytes() {
        return crew.waitingBytes();
    }

    long unacknowledged() {
        return crew.unacknowledged();
    }

    List<RuntimeStats.Worker> workers() {
        return crew.workers();
    }

    /** Completes with how many changes are not handled yet. */
    CompletableFuture<Long> backlog() {
        CompletableFuture<Long> sum = CompletableFuture.completedFuture(crew.unacknowledged());
        for (int shard = 0; shard < source.shards(); shard++) {
            sum = sum.thenCombine(
                    environment.documents().backlog(source.name(), shard, progress.readOf(shard)), Long::sum);
        }
        return sum;
    }
}
