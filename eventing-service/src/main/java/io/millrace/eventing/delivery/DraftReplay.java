package io.millrace.eventing.delivery;

import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.eventing.consumer.Consumer;
import io.millrace.eventing.consumer.HandlerRejected;
import io.millrace.eventing.deadletter.DeadLetter;
import io.millrace.eventing.metrics.FunctionCounts;
import io.millrace.eventing.runtime.DeployRejected;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.RuntimeEnvironment;
import io.millrace.eventing.timers.TimerFiring;
import io.millrace.eventing.timers.TimerGroups;
import io.millrace.timers.Timer;
import io.millrace.timers.TimerGroup;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.LogLine;
import io.millrace.workerprotocol.Outcome;
import io.millrace.workerprotocol.WorkerSetup;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Replays a dead letter with code that is not deployed, in a separate worker. Writes of the code take effect; they are
 * not ordered with those of the deployed code.
 */
public final class DraftReplay {

    private static final Duration STORE_PATIENCE = Duration.ofSeconds(10);
    private static final Semaphore REPLAYS = new Semaphore(HandlingLimits.MAX_DRAFT_REPLAYS);

    private final FunctionSpec spec;
    private final RuntimeEnvironment environment;
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

    public DraftReplay(FunctionSpec spec, RuntimeEnvironment environment) {
        this.spec = spec;
        this.environment = environment;
    }

    /**
     * Handles the current state of a letter's document. Returns nothing when the document does not exist any more.
     *
     * @throws DeployRejected when the code cannot run
     */
    public Optional<Outcome> run(DeadLetter letter) throws InterruptedException, ExecutionException, TimeoutException {
        Keyspace keyspace = new Keyspace(
                spec.source().keyspace().bucket(),
                letter.change().scope(),
                letter.change().collection());
        Optional<Document> document = environment
                .documents()
                .getWithTombstone(new DocumentKey(keyspace, letter.change().id()))
                .get(STORE_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        if (document.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(run(Events.of(
                document.get(), document.get().cas(), document.get().key().vbucket())));
    }

    /**
     * Calls the callback of a timer.
     *
     * @throws DeployRejected when the code cannot run
     */
    public Outcome run(Timer timer) throws InterruptedException, ExecutionException, TimeoutException {
        return run(TimerFiring.event(TimerGroups.group(spec), timer));
    }

    private Outcome run(Event event) throws InterruptedException, ExecutionException, TimeoutException {
        if (!REPLAYS.tryAcquire()) {
            throw new IllegalStateException("This node is already running %d draft replays; try again later"
                    .formatted(HandlingLimits.MAX_DRAFT_REPLAYS));
        }
        try {
            return handle(event);
        } finally {
            REPLAYS.release();
        }
    }

    private Outcome handle(Event event) throws InterruptedException, ExecutionException, TimeoutException {
        // the draft must create timers where the deployed function looks for them
        TimerGroup timers = TimerGroups.find(spec, environment.documents().catalog())
                .get(STORE_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        WorkerSetup setup = spec.withTimerShards(timers.shards()).setup(environment.redisUri(), environment.access());
        FunctionCounts counts = FunctionCounts.start(this::log, environment.clock());
        Consumer consumer = new Consumer(
                "draft_" + spec.name(),
                setup,
                environment.workers(),
                environment.delivery(),
                counts,
                this::log,
                () -> true,
                (handled, ended) -> outcome.complete(ended));
        try {
            long start = environment.delivery().startTimeout().toMillis();
            consumer.start().get(start, TimeUnit.MILLISECONDS);
            consumer.submit(0, List.of(event), System.nanoTime());
            Duration patience = spec.limits()
                    .executionTimeout()
                    .plus(environment.delivery().answerGrace())
                    .plus(Duration.ofMillis(setup.writePatienceMillis()));
            return outcome.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof HandlerRejected rejected) {
                throw new DeployRejected(String.valueOf(rejected.getMessage()), rejected.line(), rejected.column());
            }
            throw e;
        } finally {
            consumer.close();
        }
    }

    private void log(List<LogLine> lines) {
        environment.log().append(spec.name(), lines);
    }
}
