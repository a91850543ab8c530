package io.millrace.worker;

import io.millrace.handler.host.HandlerHost.LogLevel;
import io.millrace.worker.report.LogBuffer;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.HttpResponse;
import io.millrace.workerprotocol.Outcome;
import io.millrace.workerprotocol.WorkerProtocolLimits;

/**
 * Translates the results of the handler to outcomes of the protocol, and logs the stack of each failure. Writes that
 * fail after the handler has returned are logged by the service.
 */
final class Outcomes {

    private static final String ON_REQUEST = "OnRequest";

    private final LogBuffer log;
    private final long timeoutMillis;
    private final long allocationLimitBytes;

    Outcomes(LogBuffer log, long timeoutMillis, long allocationLimitBytes) {
        this.log = log;
        this.timeoutMillis = timeoutMillis;
        this.allocationLimitBytes = allocationLimitBytes;
    }

    Outcome of(io.millrace.handler.InvocationResult ended, Event event) {
        if (ended instanceof io.millrace.handler.InvocationResult.Success success) {
            return Outcome.success(success.micros());
        }
        return of(ended, what(event), timeoutMillis);
    }

    /** @param timeoutMillis how long OnDeploy was allowed to run */
    Outcome ofDeploy(io.millrace.handler.InvocationResult ended, long timeoutMillis) {
        return of(ended, "OnDeploy", timeoutMillis);
    }

    /**
     * @param timeoutMillis how long OnRequest was allowed to run
     * @param returned what it has returned
     */
    Outcome ofRequest(io.millrace.handler.InvocationResult ended, long timeoutMillis, HttpResponse returned) {
        Outcome outcome = of(ended, ON_REQUEST, timeoutMillis);
        int bytes = returned.body().bytes().length;
        return !outcome.ok() || bytes <= WorkerProtocolLimits.MAX_HTTP_BODY_BYTES
                ? outcome
                : failed(
                        Outcome.Result.THREW,
                        outcome.micros(),
                        "OnRequest returned a body of %d bytes, more than the limit of %d"
                                .formatted(bytes, WorkerProtocolLimits.MAX_HTTP_BODY_BYTES),
                        0,
                        0,
                        "",
                        ON_REQUEST);
    }

    /** Returns the outcome of a request that got no thread in its time. */
    Outcome notStarted(long timeoutMillis) {
        return failed(
                Outcome.Result.TIMED_OUT,
                0,
                "not called because other invocations kept its thread busy for %d ms".formatted(timeoutMillis),
                0,
                0,
                "",
                ON_REQUEST);
    }

    private Outcome of(io.millrace.handler.InvocationResult ended, String what, long timeoutMillis) {
        return switch (ended) {
            case io.millrace.handler.InvocationResult.Success success -> Outcome.success(success.micros());
            case io.millrace.handler.InvocationResult.Skipped ignored -> Outcome.skipped();
            case io.millrace.handler.InvocationResult.Threw threw ->
                failed(
                        Outcome.Result.THREW,
                        threw.micros(),
                        threw.message(),
                        threw.line(),
                        threw.column(),
                        threw.stack(),
                        what);
            case io.millrace.handler.InvocationResult.TimedOut late ->
                failed(
                        Outcome.Result.TIMED_OUT,
                        late.micros(),
                        "stopped because it ran longer than %d ms".formatted(timeoutMillis),
                        late.line(),
                        late.column(),
                        "",
                        what);
            case io.millrace.handler.InvocationResult.OutOfMemory greedy ->
                failed(
                        Outcome.Result.OUT_OF_MEMORY,
                        greedy.micros(),
                        "stopped because it held more than %d bytes of memory".formatted(allocationLimitBytes),
                        greedy.line(),
                        greedy.column(),
                        "",
                        what);
            case io.millrace.handler.InvocationResult.InternalError broken ->
                throw new IllegalArgumentException("An engine that failed has no outcome", broken.cause());
        };
    }

    private Outcome failed(
            Outcome.Result result, long micros, String message, int line, int column, String stack, String what) {
        String place = line > 0 ? " at line %d, column %d".formatted(line, column) : "";
        log.add(
                LogLevel.ERROR,
                "%s failed%s: %s%s".formatted(what, place, message, stack.isEmpty() ? "" : "\n" + stack));
        return new Outcome(
                result,
                micros,
                cut(message, WorkerProtocolLimits.MAX_MESSAGE_CHARS),
                line,
                column,
                cut(stack, WorkerProtocolLimits.MAX_STACK_CHARS));
    }

    private static String what(Event event) {
        return switch (event.kind()) {
            case MUTATION -> what("OnUpdate", event);
            case DELETION, EXPIRATION -> what("OnDelete", event);
            case TIMER -> "Timer callback %s of '%s'".formatted(event.scope(), event.id());
            case APPENDED ->
                event.ofTopic()
                        ? "OnMessage of message %s of topic '%s'".formatted(event.id(), event.collection())
                        : "OnEvent of event %d of '%s'".formatted(event.cas(), event.id());
        };
    }

    private static String what(String entryPoint, Event event) {
        return "%s of '%s' (vb %d, seq %d)".formatted(entryPoint, event.id(), event.vbucket(), event.seqno());
    }

    private static String cut(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most);
    }
}
