package io.millrace.accessspring;

import io.millrace.problemdetails.Problem;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/**
 * Why the gate does not let a request pass.
 *
 * @param code for programs, such as {@code unauthorized}
 * @param detail for people: what is wrong and what to do
 * @param retryAfter when to try again, or null if that would not help
 */
public record Refusal(
        HttpStatus status,
        String code,
        String detail,
        @Nullable Duration retryAfter) {

    /** Returns the refusal as problem details. */
    public Problem problem() {
        Problem problem = Problem.of(status, code, detail);
        return retryAfter == null ? problem : problem.retryAfter(retryAfter);
    }

    static Refusal unauthorized(String detail) {
        return new Refusal(HttpStatus.UNAUTHORIZED, "unauthorized", detail, null);
    }

    static Refusal forbidden(String detail) {
        return new Refusal(HttpStatus.FORBIDDEN, "forbidden", detail, null);
    }

    static Refusal locked(Duration retryAfter) {
        return new Refusal(
                HttpStatus.TOO_MANY_REQUESTS,
                "too_many_failed_logins",
                "Too many logins failed. Try again in " + Math.max(1, retryAfter.toSeconds()) + " s.",
                retryAfter);
    }

    static Refusal busy() {
        return new Refusal(
                HttpStatus.SERVICE_UNAVAILABLE,
                "users_not_ready",
                "Logins cannot be checked at the moment: the users have not been read yet, or too many checks are"
                        + " waiting. Try again.",
                Duration.ofSeconds(1));
    }
}
