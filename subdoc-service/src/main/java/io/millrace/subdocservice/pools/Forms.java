package io.millrace.subdocservice.pools;

import io.millrace.httpdoor.BudgetExceededException;
import io.millrace.httpdoor.LimitedBody;
import java.util.function.Function;
import org.springframework.http.HttpStatus;
import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** Reads the forms of management requests: short ones, which count among what the service holds. */
final class Forms {

    /** The longest form in bytes; one with as many roles as a user may have is shorter. */
    static final int MAX_BYTES = 64 * 1024;

    private Forms() {}

    /** Answers a form, and one that cannot be read. */
    static Mono<ServerResponse> answered(
            ServerRequest request, Function<MultiValueMap<String, String>, Mono<ServerResponse>> answer) {
        return of(request)
                .flatMap(answer)
                .onErrorResume(
                        ManagementFault.class, fault -> ManagementAnswers.errors(fault.status(), fault.errors()));
    }

    /** Fails with a {@link ManagementFault} if the form is too long, or if there is no room for it. */
    static Mono<MultiValueMap<String, String>> of(ServerRequest request) {
        return LimitedBody.limited(
                        request,
                        MAX_BYTES,
                        () -> ManagementFault.of(
                                HttpStatus.CONTENT_TOO_LARGE,
                                ManagementAnswers.WHOLE,
                                "The form has more than " + MAX_BYTES + " bytes."))
                .formData()
                .onErrorMap(
                        BudgetExceededException.class,
                        full -> ManagementFault.of(
                                HttpStatus.SERVICE_UNAVAILABLE,
                                ManagementAnswers.WHOLE,
                                BudgetExceededException.MESSAGE));
    }
}
