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

    private Forms() {}

    /** Answers a form, and one that cannot be read. */
    static Mono<ServerResponse> answered(
            ServerRequest request, Function<MultiValueMap<String, String>, Mono<ServerResponse>> answer) {
        return of(request).flatMap(answer).onErrorResume(ManagementFault.class, ManagementAnswers::fault);
    }

    /** Fails with a {@link ManagementFault} if the form is too long, or if there is no room for it. */
    static Mono<MultiValueMap<String, String>> of(ServerRequest request) {
        return LimitedBody.limited(
                        request,
                        ManagementLimits.MAX_FORM_BYTES,
                        () -> ManagementFault.of(
                                HttpStatus.CONTENT_TOO_LARGE,
                                ManagementAnswers.WHOLE,
                                "The form has more than " + ManagementLimits.MAX_FORM_BYTES + " bytes."))
                .formData()
                .onErrorMap(
                        BudgetExceededException.class,
                        full -> ManagementFault.of(
                                HttpStatus.SERVICE_UNAVAILABLE,
                                ManagementAnswers.WHOLE,
                                BudgetExceededException.MESSAGE));
    }
}
