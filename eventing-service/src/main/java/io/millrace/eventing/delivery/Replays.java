package io.millrace.eventing.delivery;

import io.millrace.eventing.deadletter.DeadLetter;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.RuntimeEnvironment;
import io.millrace.eventing.runtime.StopSignal;
import io.millrace.rebalance.VbucketSet;
import io.millrace.workerprotocol.Event;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
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

    /** How often requested replays are looked for. */
    static final Duration LOOK = Duration.ofSeconds(1);

    private static final Duration STORE_PATIENCE = Duration.ofSeconds(10);
    private static final Logger LOG = LoggerFactory.getLogger(Replays.class);

    private final FunctionSpec spec;
    private final RuntimeEnvironment environment;
    private final Failures failures;
    private final VbucketSet share;
    private final BooleanSupplier gate;

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
        while (!stop.await(LOOK)) {
            try {
                if (gate.getAsBoolean()) {
                    look();
                }
            } catch (ExecutionException | TimeoutException e) {
                LOG.warn("event=replay_failed function={} reason=\"{}\"", spec.name(), e.toString());
            }
        }
    }

    private void look() throws InterruptedException, ExecutionException, TimeoutException {
        for (DeadLetter letter : get(
                environment.deadLetters().toReplay(spec.checkpoints(), share, HandlingLimits.MAX_LETTERS_REPLAYED))) {
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
    }

    private static <T> T get(CompletableFuture<T> call)
            throws InterruptedException, ExecutionException, TimeoutException {
        return call.get(STORE_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }
}
