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
import io.millrace.workerprotocol.LogLine;
import java.time.Duration;
import java.util.List;
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
                Duration pause = isDone(stop) ? LONGEST_PAUSE : LOOK;
                if (!stop.stopped()) {
                    asked.tryAcquire(CommonTimes.within(pause).toNanos(), TimeUnit.NANOSECONDS);
                }
            }
        }
    }

    /** Replays what was requested; returns whether there was nothing. */
    private boolean isDone(StopSignal stop) throws InterruptedException {
        if (!gate.getAsBoolean()) {
            return false;
        }
        try {
            List<DeadLetter> letters = get(
                    environment.deadLetters().toReplay(spec.checkpoints(), share, HandlingLimits.MAX_LETTERS_REPLAYED));
            failing = !replay(letters, stop) && failing;
            return letters.isEmpty();
        } catch (ExecutionException | TimeoutException e) {
            failed(e);
            return false;
        }
    }

    /** Returns whether all could be read. Those that could not are looked at again. */
    private boolean replay(List<DeadLetter> letters, StopSignal stop) throws InterruptedException {
        boolean read = true;
        int kept = 0;
        for (DeadLetter letter : letters) {
            if (stop.stopped()) {
                break;
            }
            try {
                kept += replay(letter) ? 0 : 1;
            } catch (ExecutionException | TimeoutException e) {
                read = false;
                failed(e);
            }
        }
        if (kept > 0) {
            sayKept(kept);
        }
        return read;
    }

    private void failed(Exception reason) {
        if (!failing) {
            failing = true;
            LOG.warn("event=replay_failed function={} reason=\"{}\"", spec.name(), reason.toString());
        }
    }

    /** Returns false if what is to be handled cannot be had any more, and the letter is kept. */
    private boolean replay(DeadLetter letter) throws InterruptedException, ExecutionException, TimeoutException {
        if (!failures.announce(letter)) {
            return true;
        }
        Event event = null;
        try {
            event = get(Events.ofLetter(letter, spec, environment)).orElse(null);
            return event != null || missing(letter);
        } finally {
            failures.replay(letter, event);
        }
    }

    /** A document that is gone needs no handling; of an event or a message that is gone, the letter is all that there is. */
    private boolean missing(DeadLetter letter) throws InterruptedException, ExecutionException, TimeoutException {
        List<String> name = List.of(letter.name());
        if (letter.ofEvent()) {
            get(environment.deadLetters().withdrawReplay(spec.checkpoints(), name));
            return false;
        }
        get(environment.deadLetters().drop(spec.checkpoints(), name));
        return true;
    }

    private void sayKept(int letters) {
        String text =
                "%d dead letters cannot be replayed and are kept: their events or messages are not there any more."
                        .formatted(letters);
        long now = environment.clock().millis();
        environment.log().append(spec.name(), List.of(new LogLine("WARNING", now, text, spec.version())));
    }

    private static <T> T get(CompletableFuture<T> call)
            throws InterruptedException, ExecutionException, TimeoutException {
        return call.get(STORE_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }
}
