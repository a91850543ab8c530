package io.millrace.eventing.functions;

import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.functions.FunctionState.Failure;
import io.millrace.eventing.functions.FunctionState.Pausing;
import io.millrace.eventing.runtime.DeployRejected;
import io.millrace.eventing.runtime.FunctionRuntime;
import io.millrace.eventing.runtime.FunctionSpec;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a deployed function take other code without a pause. The leading node tries a staged version first: if it cannot run,
 * nothing has changed; if it can, it becomes the version that is deployed, and the other nodes follow.
 */
final class HotSwap {

    private static final Logger LOG = LoggerFactory.getLogger(HotSwap.class);

    private final FunctionName name;
    private final FunctionStore store;
    private final FunctionRuntime runtime;
    private final FailureReports reports;
    private final InstantSource clock;
    private final Reconciler.Timings timings;

    /** How an attempt ended. */
    private sealed interface Attempt {

        record Taken() implements Attempt {}

        record Refused(DeployRejected why) implements Attempt {}

        /** The function has to pause. */
        record Impossible() implements Attempt {}
    }

    HotSwap(
            FunctionName name,
            FunctionStore store,
            FunctionRuntime runtime,
            FailureReports reports,
            InstantSource clock,
            Reconciler.Timings timings) {
        this.name = name;
        this.store = store;
        this.runtime = runtime;
        this.reports = reports;
        this.clock = clock;
        this.timings = timings;
    }

    /**
     * Lets the function take its staged version, and records what came of it: the version is deployed, it is refused, or the
     * function pauses to take it. Returns whether it runs here now.
     */
    boolean take(StoredFunction function, FunctionSpec staged, FunctionSpec running) throws InterruptedException {
        return switch (attempt(staged, running)) {
            case Attempt.Taken() -> {
                record(function, StoredFunction::swapped);
                yield true;
            }
            case Attempt.Refused(DeployRejected why) -> {
                Failure failure = new Failure(FailureReports.reason(why), why.line(), why.column(), clock.instant());
                reports.refused(staged.version(), running.version(), failure);
                record(function, now -> now.refusing(failure));
                yield false;
            }
            case Attempt.Impossible() -> {
                record(function, now -> now.in(new Pausing(clock.instant(), null)));
                yield false;
            }
        };
    }

    /** Takes the code that another node has found to run; returns false when the function has to be started again for it. */
    boolean follow(FunctionSpec spec, @Nullable FunctionSpec running) throws InterruptedException {
        return running != null && attempt(spec, running) instanceof Attempt.Taken;
    }

    /** Changes the stored function unless it has left its state, or something else is staged by now. */
    private void record(StoredFunction function, UnaryOperator<StoredFunction> change) {
        store.move(
                name,
                function.state(),
                now -> Objects.equals(now.staged(), function.staged()) ? change.apply(now) : now);
    }

    private Attempt attempt(FunctionSpec to, FunctionSpec from) throws InterruptedException {
        if (!to.swapsWith(from)) {
            return new Attempt.Impossible();
        }
        try {
            runtime.swap(to).get(timings.deploy().toMillis(), TimeUnit.MILLISECONDS);
            return new Attempt.Taken();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof DeployRejected why) {
                return new Attempt.Refused(why);
            }
            LOG.info("event=swap_failed function={} reason=\"{}\"", name, FailureReports.reason(e));
            return new Attempt.Impossible();
        } catch (TimeoutException e) {
            LOG.info("event=swap_failed function={} reason=\"it took too long\"", name);
            return new Attempt.Impossible();
        }
    }
}
