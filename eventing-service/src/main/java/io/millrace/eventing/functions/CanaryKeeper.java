package io.millrace.eventing.functions;

import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.runtime.CanaryReport;
import io.millrace.eventing.runtime.CanarySpec;
import io.millrace.eventing.runtime.DeployRejected;
import io.millrace.eventing.runtime.FunctionRuntime;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.versions.Canary;
import io.millrace.eventing.versions.CanaryRule;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has the canary of a function that is deployed run on this node, and ends it as its rule says. */
final class CanaryKeeper {

    private static final Logger LOG = LoggerFactory.getLogger(CanaryKeeper.class);

    private final FunctionName name;
    private final FunctionStore store;
    private final FunctionRuntime runtime;
    private final Function<StoredFunction, FunctionSpec> specs;
    private final FailureReports reports;
    private final InstantSource clock;
    private final Duration patience;

    /** @param patience how long a canary may take to start */
    CanaryKeeper(
            FunctionName name,
            FunctionStore store,
            FunctionRuntime runtime,
            Function<StoredFunction, FunctionSpec> specs,
            FailureReports reports,
            InstantSource clock,
            Duration patience) {
        this.name = name;
        this.store = store;
        this.runtime = runtime;
        this.specs = specs;
        this.reports = reports;
        this.clock = clock;
        this.patience = patience;
    }

    /** Starts or ends the canary here if that has to be done; otherwise judges it. @param leads whether this node promotes it */
    void keep(StoredFunction function, boolean leads) throws InterruptedException {
        Canary canary = function.canary();
        CanarySpec wanted = canary != null && canary.running()
                ? new CanarySpec(specs.apply(function.withCanaryInPlace()), canary.vbuckets())
                : null;
        if (!Objects.equals(runtime.canary(name.toString()).orElse(null), wanted)) {
            change(function, wanted);
        } else if (canary != null && wanted != null) {
            runtime.canaryReport(name.toString()).ifPresent(report -> judge(function, canary, report, leads));
        }
    }

    private void change(StoredFunction function, @Nullable CanarySpec wanted) throws InterruptedException {
        try {
            runtime.canary(name.toString(), wanted).get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof DeployRejected why) {
                rollBack(function, "Its code cannot run: " + FailureReports.reason(why));
            } else {
                LOG.warn("event=canary_failed function={} reason=\"{}\"", name, FailureReports.reason(e));
            }
        } catch (TimeoutException e) {
            LOG.warn("event=canary_failed function={} reason=\"it took too long\"", name);
        }
    }

    private void judge(StoredFunction function, Canary canary, CanaryReport report, boolean leads) {
        CanaryRule rule = canary.rule();
        CanaryReport.Side side = report.canary();
        if (side.handled() < rule.minEvents()) {
            return;
        }
        double more = side.failureRate() - report.stable().failureRate();
        if (more > rule.maxErrorRate()) {
            rollBack(
                    function,
                    String.format(
                            Locale.ROOT,
                            "It failed on %d of %d changes, which is %.1f %%; the other version failed on %.1f %%",
                            side.failed(),
                            side.handled(),
                            100 * side.failureRate(),
                            100 * report.stable().failureRate()));
        } else if (slow(rule, report)) {
            rollBack(
                    function,
                    "It took %d microseconds on average; the other version took %d"
                            .formatted(side.meanMicros(), report.stable().meanMicros()));
        } else if (leads && isDue(canary)) {
            end(
                    function,
                    Canary.Outcome.PROMOTED,
                    "It handled %d changes within its rule".formatted(side.handled()),
                    (now, reason) -> now.promoted(reason, clock.instant()));
        }
    }

    private static boolean slow(CanaryRule rule, CanaryReport report) {
        long stable = report.stable().meanMicros();
        return rule.maxSlowdown() > 0 && stable > 0 && report.canary().meanMicros() > stable * rule.maxSlowdown();
    }

    private boolean isDue(Canary canary) {
        Duration after = canary.rule().promoteAfter();
        Instant now = clock.instant();
        return after != null && !now.isBefore(canary.since().plus(after));
    }

    private void rollBack(StoredFunction function, String reason) {
        Canary.Outcome outcome = Canary.Outcome.ROLLED_BACK;
        end(function, outcome, reason, (now, why) -> now.endingCanary(outcome, why, clock.instant()));
    }

    private interface Ending {
        StoredFunction of(StoredFunction function, String reason);
    }

    /** Changes the stored function unless its canary is another by now; the change wakes the loops that follow it. */
    private void end(StoredFunction function, Canary.Outcome outcome, String reason, Ending ending) {
        UnaryOperator<StoredFunction> change =
                now -> Objects.equals(now.canary(), function.canary()) ? ending.of(now, reason) : now;
        store.move(name, function.state(), change)
                .filter(now -> !Objects.equals(now.canary(), function.canary()))
                .ifPresent(now -> reports.canaryEnded(
                        Objects.requireNonNull(function.canary())
                                .next()
                                .version()
                                .number(),
                        outcome,
                        reason));
    }
}
