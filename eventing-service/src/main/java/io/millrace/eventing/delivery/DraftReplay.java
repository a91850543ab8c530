package io.millrace.eventing.delivery;

import io.millrace.documents.Document;
import io.millrace.eventing.consumer.Consumer;
import io.millrace.eventing.consumer.DebugRun;
import io.millrace.eventing.consumer.DryRun;
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
import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.LogLine;
import io.millrace.workerprotocol.Outcome;
import io.millrace.workerprotocol.WorkerSetup;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs code that is not deployed, in a separate worker: replays a dead letter, when writes of the code take effect and are
 * not ordered with those of the deployed code; or shows in a dry run what the code would do.
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
     * Handles the current state of a letter's document, or its event. Returns nothing when it does not exist any more.
     *
     * @throws DeployRejected when the code cannot run
     */
    public Optional<Outcome> run(DeadLetter letter)
            throws InterruptedException, ExecutionException, TimeoutException, IOException {
        Optional<Event> event =
                Events.ofLetter(letter, spec, environment).get(STORE_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        return event.isEmpty() ? Optional.empty() : Optional.of(limited(() -> handle(event.get())));
    }

    /**
     * Calls the callback of a timer.
     *
     * @throws DeployRejected when the code cannot run
     */
    public Outcome run(Timer timer) throws InterruptedException, ExecutionException, TimeoutException, IOException {
        return limited(() -> handle(TimerFiring.event(TimerGroups.group(spec), timer)));
    }

    /**
     * Returns for each state of a document what the code would do with it, as JSON.
     *
     * @param answers what the code gets for HTTP requests and statements, as JSON
     * @throws DeployRejected when the code cannot run
     */
    public List<byte[]> dry(List<Document> documents, byte[] answers)
            throws InterruptedException, ExecutionException, TimeoutException, IOException {
        List<Event> events = documents.stream()
                .map(document ->
                        Events.of(document, document.seqno(), document.key().vbucket()))
                .toList();
        WorkerSetup setup = spec.setup(environment.redisUri(), environment.access());
        return limited(() -> {
            try {
                return DryRun.of(
                        "dry_" + spec.name(),
                        new Frame.Try(setup, answers, events),
                        spec.workers().placement(),
                        environment.workers(),
                        environment.delivery().startTimeout().plus(HandlingLimits.DRY_RUN_PATIENCE));
            } catch (HandlerRejected rejected) {
                throw new DeployRejected(String.valueOf(rejected.getMessage()), rejected.line(), rejected.column());
            }
        });
    }

    /**
     * Lets a debugger follow the code on a state of a document.
     *
     * @param answers what the code gets for HTTP requests and statements, as JSON
     * @param limit how long the code may run
     * @throws DeployRejected when the code cannot run
     */
    public DebugRun debug(Document document, byte[] answers, Duration limit) throws IOException, TimeoutException {
        WorkerSetup setup =
                spec.setup(environment.redisUri(), environment.access()).withExecutionTimeoutMillis(limit.toMillis());
        Event event = Events.of(document, document.seqno(), document.key().vbucket());
        try {
            return DebugRun.open(
                    "debug_" + spec.name(),
                    new Frame.Debug(setup, answers, event),
                    spec.workers().placement(),
                    environment.workers(),
                    environment.delivery().startTimeout());
        } catch (HandlerRejected rejected) {
            throw new DeployRejected(String.valueOf(rejected.getMessage()), rejected.line(), rejected.column());
        }
    }

    private interface Work<T> {
        T done() throws InterruptedException, ExecutionException, TimeoutException, IOException;
    }

    private static <T> T limited(Work<T> work)
            throws InterruptedException, ExecutionException, TimeoutException, IOException {
        if (!REPLAYS.tryAcquire()) {
            throw new IllegalStateException("This node is already running %d drafts; try again later"
                    .formatted(HandlingLimits.MAX_DRAFT_REPLAYS));
        }
        try {
            return work.done();
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
                spec.workers().placement(),
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
