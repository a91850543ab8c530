package io.millrace.eventing.functions;

import io.millrace.eventing.applog.FunctionLogs;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.functions.FunctionState.Failure;
import io.millrace.eventing.versions.Canary;
import io.millrace.workerprotocol.LogLine;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says in the log of the service and in that of a function why it is not deployed. */
final class FailureReports {

    private static final Logger LOG = LoggerFactory.getLogger(FailureReports.class);

    private final FunctionName name;
    private final FunctionLogs logs;
    private final InstantSource clock;

    FailureReports(FunctionName name, FunctionLogs logs, InstantSource clock) {
        this.name = name;
        this.logs = logs;
        this.clock = clock;
    }

    void report(Failure failure) {
        String place = place(failure);
        LOG.warn("event=deployment_failed function={} reason=\"{}{}\"", name, failure.message(), place);
        say("Function %s is not deployed: %s%s".formatted(name, failure.message(), place));
    }

    /** Returns the failure of a start that was not done in time, and failed before for a reason, or for none that is known. */
    Failure late(Duration patience, String lastReason) {
        String because = lastReason.isEmpty() ? "" : ": " + lastReason;
        return new Failure(
                "The function was not ready within %d s%s".formatted(patience.toSeconds(), because),
                0,
                0,
                clock.instant());
    }

    /** Says that a version has not taken the place of another, which goes on. */
    void refused(long version, long running, Failure failure) {
        String place = place(failure);
        LOG.warn(
                "event=swap_refused function={} version={} running={} reason=\"{}{}\"",
                name,
                version,
                running,
                failure.message(),
                place);
        say("Version %d of function %s is not deployed, version %d goes on: %s%s"
                .formatted(version, name, running, failure.message(), place));
    }

    /** Says how a canary ended by itself. */
    void canaryEnded(long version, Canary.Outcome outcome, String reason) {
        boolean promoted = outcome == Canary.Outcome.PROMOTED;
        LOG.info("event=canary_ended function={} version={} outcome={} reason=\"{}\"", name, version, outcome, reason);
        say(
                promoted ? "INFO" : "ERROR",
                "Canary version %d of function %s was %s: %s"
                        .formatted(version, name, promoted ? "promoted" : "rolled back", reason));
    }

    private void say(String text) {
        say("ERROR", text);
    }

    private void say(String level, String text) {
        logs.append(name.toString(), List.of(new LogLine(level, clock.millis(), text)));
    }

    private static String place(Failure failure) {
        return failure.line() > 0 ? " (line %d, column %d)".formatted(failure.line(), failure.column()) : "";
    }

    /** Returns what a failure says. */
    static String reason(Throwable failure) {
        Throwable at = failure;
        while (at instanceof ExecutionException && at.getCause() != null) {
            at = at.getCause();
        }
        return at.getMessage() == null ? at.toString() : at.getMessage();
    }
}
