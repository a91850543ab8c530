package io.millrace.eventing.producer;

import io.millrace.eventing.consumer.Consumer;
import io.millrace.eventing.consumer.DebugRun;
import io.millrace.eventing.consumer.DryRun;
import io.millrace.eventing.consumer.HandlerRejected;
import io.millrace.eventing.deadletter.DeadLetter;
import io.millrace.eventing.metrics.FunctionCounts;
import io.millrace.eventing.runtime.DeployRejected;
import io.millrace.eventing.runtime.Events;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs code that is not deployed, in a separate worker: replays dead letters, when writes of the code take effect and are
 * not ordered with those of the deployed code; or shows in a dry run what the code would do.
 */
final class DraftReplay {

    private static final Duration STORE_PATIENCE = Duration.ofSeconds(10);
    private static final Semaphore REPLAYS = new Semaphore(DraftLimits.MAX_DRAFT_REPLAYS);

    private final FunctionSpec spec;
    private final RuntimeEnvironment environment;
    private final BlockingQueue<Outcome> ends = new LinkedBlockingQueue<>();

    DraftReplay(FunctionSpec spec, RuntimeEnvironment environment) {
        this.spec = spec;
        this.environment = environment;
    }

    /**
     * Handles the current states of letters' documents, or their events, and then calls the callbacks of timers, one after the other in one worker.
     * Returns the outcomes in this order, nothing for what does not exist any more.
     *
     * @param limit after this time none is begun, except the first; the others have no outcome
     * @throws DeployRejected when the code cannot run
     */
    List<Optional<Outcome>> run(List<DeadLetter> letters, List<Timer> timers, Duration limit)
            throws InterruptedException, ExecutionException, TimeoutException, IOException {
        long end = System.nanoTime() + limit.toNanos();
        return limited(() -> handle(handler -> {
            List<Optional<Outcome>> outcomes = new ArrayList<>();
            for (DeadLetter letter : letters) {
                if (!outcomes.isEmpty() && System.nanoTime() - end >= 0) {
                    return outcomes;
                }
                Optional<Event> event = Events.ofLetter(letter, spec, environment)
                        .get(STORE_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
                outcomes.add(event.isEmpty() ? Optional.empty() : Optional.of(handler.outcome(event.get())));
            }
            for (Timer timer : timers) {
                if (!outcomes.isEmpty() && System.nanoTime() - end >= 0) {
                    return outcomes;
                }
                outcomes.add(Optional.of(handler.outcome(TimerFiring.event(TimerGroups.group(spec), timer))));
            }
            return outcomes;
        }));
    }

    /**
     * Returns for each event what the code would do with it, as JSON.
     *
     * @param answers what the code gets for HTTP requests and statements, as JSON
     * @throws DeployRejected when the code cannot run
     */
    List<byte[]> dry(List<Event> events, byte[] answers)
            throws InterruptedException, ExecutionException, TimeoutException, IOException {
        WorkerSetup setup = spec.setup(environment.redisUri(), environment.access());
        return limited(() -> {
            try {
                return DryRun.of(
                        "dry_" + spec.name(),
                        new Frame.Try(setup, answers, events),
                        spec.workers().placement(),
                        environment.workers(),
                        environment.delivery().startTimeout().plus(DraftLimits.DRY_RUN_PATIENCE));
            } catch (HandlerRejected rejected) {
                throw new DeployRejected(String.valueOf(rejected.getMessage()), rejected.line(), rejected.column());
            }
        });
    }

    /**
     * Lets a debugger follow the code on an event.
     *
     * @param answers what the code gets for HTTP requests and statements, as JSON
     * @param limit how long the code may run
     * @throws DeployRejected when the code cannot run
     */
    DebugRun debug(Event event, byte[] answers, Duration limit) throws IOException, TimeoutException {
        WorkerSetup setup =
                spec.setup(environment.redisUri(), environment.access()).withExecutionTimeoutMillis(limit.toMillis());
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
            throw new IllegalStateException(
                    "This node is already running %d drafts; try again later".formatted(DraftLimits.MAX_DRAFT_REPLAYS));
        }
        try {
            return work.done();
        } finally {
            REPLAYS.release();
        }
    }

    private interface Handler {
        Outcome outcome(Event event) throws InterruptedException, TimeoutException;
    }

    private interface Handling {
        List<Optional<Outcome>> by(Handler handler) throws InterruptedException, ExecutionException, TimeoutException;
    }

    private List<Optional<Outcome>> handle(Handling handling)
            throws InterruptedException, ExecutionException, TimeoutException {
        // the draft must create timers where the deployed function looks for them
        TimerGroup timers = TimerGroups.find(spec, environment.documents().catalog())
                .get(STORE_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        WorkerSetup setup = spec.withTimerShards(timers.shards()).setup(environment.redisUri(), environment.access());
        Duration patience = spec.limits()
                .executionTimeout()
                .plus(environment.delivery().answerGrace())
                .plus(Duration.ofMillis(setup.limits().writePatienceMillis()));
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
                (handled, ended) -> ends.add(ended));
        try {
            long start = environment.delivery().startTimeout().toMillis();
            consumer.start().get(start, TimeUnit.MILLISECONDS);
            return handling.by(event -> outcome(consumer, event, patience));
        } catch (ExecutionException e) {
            if (e.getCause() instanceof HandlerRejected rejected) {
                throw new DeployRejected(String.valueOf(rejected.getMessage()), rejected.line(), rejected.column());
            }
            throw e;
        } finally {
            consumer.close();
        }
    }

    private Outcome outcome(Consumer consumer, Event event, Duration patience)
            throws InterruptedException, TimeoutException {
        consumer.submit(0, List.of(event), System.nanoTime());
        Outcome ended = ends.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
        if (ended == null) {
            throw new TimeoutException(
                    "The draft has not handled '%s' within %d ms".formatted(event.id(), patience.toMillis()));
        }
        return ended;
    }

    private void log(List<LogLine> lines) {
        environment.log().append(spec.name(), lines);
    }
}
