package io.millrace.eventing.delivery;

import io.millrace.documents.notify.ChangeNotifier;
import io.millrace.eventing.deadletter.DeadLetter;
import io.millrace.eventing.runtime.Events;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.RuntimeEnvironment;
import io.millrace.eventing.runtime.StopSignal;
import io.millrace.rebalance.VbucketSet;
import io.millrace.redis.CommonTimes;
import io.millrace.workerprotocol.Event;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replays dead letters of this node's vbuckets for which a replay was requested on any node. A replay handles the
 * current state of the document, in the lane of its vbucket.
 */
final class Replays {

    /** How soon requested replays are looked for again where there are some. */
    static final Duration LOOK = Duration.ofSeconds(1);

    /** How long one may remain unseen whose announcement was missed although the connection for announcements was not lost. */
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private static final Duration STORE_PATIENCE = Duration.ofSeconds(10);
    private static final Logger LOG = LoggerFactory.getLogger(Replays.class);

    private final FunctionSpec spec;
    private final RuntimeEnvironment environment;
    private final Failures failures;
    private final VbucketSet share;
    private final BooleanSupplier gate;

    /** Whether the latest look failed; used by one thread. */
    private boolean failing;

    /** @param gate whether events may be handed out now */
    Replays(
            FunctionSpec spec,
            RuntimeEnvironment environment,
            Failures failures,
            VbucketSet share,
            BooleanSupplier gate) {
        this.spec = spec;
        this.environment = environment;
        this.failures = failures;
        this.share = share;
        this.gate = gate;
    }

    void run(StopSignal stop) throws InterruptedException {
        Semaphore asked = new Semaphore(0);
        stop.future().thenRun(asked::release);
        try (ChangeNotifier.Subscription announced =
                environment.deadLetters().onReplay(spec.checkpoints(), asked::release)) {
            while (!stop.stopped()) {
                asked.drainPermits();
                Duration pause = isDone() ? LONGEST_PAUSE : LOOK;
                if (!stop.stopped()) {
                    asked.tryAcquire(CommonTimes.within(pause).toNanos(), TimeUnit.NANOSECONDS);
                }
            }
        }
    }

    /** Replays what was requested; returns whether there was nothing. */
    private boolean isDone() throws InterruptedException {
        try {
            boolean done = gate.getAsBoolean() && look() == 0;
            failing = false;
            return done;
        } catch (ExecutionException | TimeoutException e) {
            if (!failing) {
                failing = true;
                LOG.warn("event=replay_failed function={} reason=\"{}\"", spec.name(), e.toString());
            }
            return false;
        }
    }

    private int look() throws InterruptedException, ExecutionException, TimeoutException {
        List<DeadLetter> letters =
                get(environment.deadLetters().toReplay(spec.checkpoints(), share, HandlingLimits.MAX_LETTERS_REPLAYED));
        for (DeadLetter letter : letters) {
            if (!failures.announce(letter)) {
                continue;
            }
            boolean read = false;
            try {
                Optional<Event> found = get(Events.ofLetter(letter, spec, environment));
                if (found.isEmpty()) {
                    get(environment.deadLetters().drop(spec.checkpoints(), List.of(letter.name())));
                } else {
                    read = true;
                    failures.replay(letter, found.get());
                }
            } finally {
                if (!read) {
                    failures.replay(letter, null);
                }
            }
        }
        return letters.size();
    }

    private static <T> T get(CompletableFuture<T> call)
            throws InterruptedException, ExecutionException, TimeoutException {
        return call.get(STORE_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }
}
