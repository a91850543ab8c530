package io.millrace.eventing.http.requests;

import io.millrace.eventing.idempotency.AnswerStore;
import io.millrace.handler.requests.Verdict;
import io.millrace.problemdetails.Problem;
import io.millrace.problemdetails.ProblemException;
import io.millrace.workerprotocol.Outcome;
import java.time.Duration;
import org.springframework.http.HttpStatus;

/** What a client gets that does not get a function's response. */
final class Failures {

    private static final Duration SOON = Duration.ofSeconds(1);

    private Failures() {}

    static ProblemException notLoggedIn() {
        return of(Problem.of(
                        HttpStatus.UNAUTHORIZED,
                        "unauthorized",
                        "The function does not take requests without a login, if it exists.")
                .withAction("Log in, or have the function's setting request_access set to public."));
    }

    static ProblemException forbidden(String who, String function) {
        return of(Problem.of(
                        HttpStatus.FORBIDDEN,
                        "forbidden",
                        "The roles of %s do not grant functions.execute on the scope of the function %s."
                                .formatted(who, function))
                .withAction("Ask an administrator for a role that does."));
    }

    static ProblemException notFound(String function) {
        return of(
                Problem.of(HttpStatus.NOT_FOUND, "function_not_found", "There is no function %s.".formatted(function)));
    }

    static ProblemException notDescribed(Verdict.Refused refused, String function) {
        String detail = refused.detail(function);
        Problem problem = switch (refused) {
            case Verdict.NoPath() -> Problem.of(HttpStatus.NOT_FOUND, "path_not_described", detail);
            case Verdict.NoMethod ignored -> Problem.of(HttpStatus.METHOD_NOT_ALLOWED, "method_not_described", detail);
            case Verdict.Wrong ignored -> Problem.of(HttpStatus.BAD_REQUEST, "invalid_request", detail);
        };
        return of(problem.withAction("Look at the OpenAPI document of the function."));
    }

    static ProblemException notDeclared(String function) {
        return of(Problem.of(
                        HttpStatus.NOT_FOUND,
                        "no_request_handler",
                        "The code of the function %s does not declare OnRequest.".formatted(function))
                .withAction("Declare OnRequest(request) and deploy the function again."));
    }

    static ProblemException tooMany(String function) {
        return of(Problem.of(
                        HttpStatus.TOO_MANY_REQUESTS,
                        "too_many_requests",
                        "This node works on as many requests as it may: %d to one function and %d in all. The function %s was not called."
                                .formatted(
                                        RequestLimits.MAX_IN_FLIGHT_PER_FUNCTION,
                                        RequestLimits.MAX_IN_FLIGHT,
                                        function))
                .withAction("Repeat the request after the time in Retry-After.")
                .retryAfter(SOON));
    }

    static ProblemException tooLarge() {
        return of(Problem.of(
                HttpStatus.CONTENT_TOO_LARGE,
                "body_too_large",
                "The body is larger than %d bytes. The function was not called."
                        .formatted(RequestLimits.MAX_BODY_BYTES)));
    }

    static ProblemException noWorker(String function) {
        return of(Problem.of(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        "function_not_running",
                        "No worker runs the function %s now: it is not deployed, or its worker is being started. It was not called."
                                .formatted(function))
                .withAction("Look at the status of the function; if it is deployed, repeat the request."));
    }

    static ProblemException workerEnded(String function) {
        return of(Problem.of(
                        HttpStatus.BAD_GATEWAY,
                        "worker_ended",
                        "The worker of the function %s ended before it answered. The function may have run, wholly or in part; it is not called again."
                                .formatted(function))
                .withAction("Check whether the request had its effect before you repeat it."));
    }

    static ProblemException nodeEnded(String function) {
        return of(Problem.of(
                        HttpStatus.BAD_GATEWAY,
                        "worker_ended",
                        "The node that runs the function %s ended before it answered, or was silent for too long. The function may have run, wholly or in part; it is not called again."
                                .formatted(function))
                .withAction("Check whether the request had its effect before you repeat it."));
    }

    static ProblemException late(String function, Duration timeout) {
        return of(Problem.of(
                        HttpStatus.GATEWAY_TIMEOUT,
                        "function_timeout",
                        "The function %s did not answer within %d ms. What it had written stays written."
                                .formatted(function, timeout.toMillis()))
                .withAction("Check whether the request had its effect before you repeat it."));
    }

    /** @param detailed whether the client may read the log of the function, where the reason is as well */
    static ProblemException failed(String function, Outcome outcome, boolean detailed) {
        Problem problem = Problem.of(
                        HttpStatus.INTERNAL_SERVER_ERROR,
                        "function_failed",
                        "The function %s failed. Its log has the reason. What it had written stays written."
                                .formatted(function))
                .withAction("Look at the log of the function.");
        return of(
                detailed
                        ? problem.with("reason", outcome.message())
                                .with("line", outcome.line())
                                .with("column", outcome.column())
                        : problem);
    }

    static ProblemException invalidKey() {
        return of(Problem.of(
                HttpStatus.BAD_REQUEST,
                "invalid_header",
                "An Idempotency-Key must be one text of 1 to %d characters. The function was not called."
                        .formatted(RequestLimits.MAX_IDEMPOTENCY_KEY_CHARS)));
    }

    static ProblemException keyReused() {
        return of(Problem.of(
                        HttpStatus.UNPROCESSABLE_CONTENT,
                        "idempotency_key_reused",
                        "Another request had this Idempotency-Key: its method, path, query, Content-Type or body was different. The function was not called.")
                .withAction("Send another Idempotency-Key with another request; repeat a request as it was."));
    }

    static ProblemException keyInUse() {
        return of(Problem.of(
                        HttpStatus.CONFLICT,
                        "request_in_progress",
                        "The first request with this Idempotency-Key has not been answered yet. The function was not called again.")
                .withAction("Repeat the request after the time in Retry-After.")
                .retryAfter(SOON));
    }

    static ProblemException answerNotKept(int status) {
        return of(Problem.of(
                        HttpStatus.GONE,
                        "answer_not_kept",
                        "The first request with this Idempotency-Key was answered with status %d and a body that is not kept: it has more than %d bytes, or the function has too many. The function was not called again."
                                .formatted(status, RequestLimits.MAX_KEPT_BODY_BYTES))
                .withAction("Look at what the first request did; it is not done again."));
    }

    static ProblemException tooManyKeys(String function) {
        return of(Problem.of(
                        HttpStatus.TOO_MANY_REQUESTS,
                        "too_many_idempotency_keys",
                        "The answers of the function %s that are kept for an hour have %d bytes, which is the limit. The function was not called."
                                .formatted(function, AnswerStore.MAX_BYTES_PER_FUNCTION))
                .withAction("Repeat the request after the time in Retry-After, or without an Idempotency-Key.")
                .retryAfter(AnswerStore.RETENTION));
    }

    static ProblemException storeUnavailable() {
        return of(Problem.of(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        "unavailable",
                        "Redis does not answer, so the Idempotency-Key cannot be looked up. The function was not called.")
                .withAction("Repeat the request; if it keeps failing, check that Redis runs.")
                .retryAfter(SOON));
    }

    private static ProblemException of(Problem problem) {
        return ProblemException.of(problem);
    }
}
