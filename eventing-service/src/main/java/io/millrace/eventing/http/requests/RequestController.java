package io.millrace.eventing.http.requests;

import io.millrace.eventing.http.Answers;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.http.HttpMethod;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** The way to {@link FunctionCalls} through the filters; {@link RequestsInFront} is the other one. */
@RestController
@RequestMapping(
        method = {
            RequestMethod.GET,
            RequestMethod.HEAD,
            RequestMethod.POST,
            RequestMethod.PUT,
            RequestMethod.PATCH,
            RequestMethod.DELETE,
            RequestMethod.OPTIONS // unless it is named, Spring answers it
        })
@Tag(name = "requests", description = "Call functions over HTTP")
class RequestController {

    static final String ROOT = "/fn/";

    static final String PATTERN = ROOT + "{name}/{*path}";

    /** Those that the class is mapped to. */
    static final Set<HttpMethod> METHODS = Arrays.stream(
                    RequestController.class.getAnnotationsByType(RequestMapping.class))
            .flatMap(mapping -> Arrays.stream(mapping.method()))
            .map(RequestMethod::asHttpMethod)
            .collect(Collectors.toUnmodifiableSet());

    private final FunctionCalls calls;

    RequestController(FunctionCalls calls) {
        this.calls = calls;
    }

    @RequestMapping(path = PATTERN)
    @Operation(
            summary = "Call OnRequest of a function, with any method and path",
            parameters =
                    @Parameter(
                            name = "path",
                            in = ParameterIn.PATH,
                            schema = @Schema(type = "string"),
                            description = "what the function makes of it, also several segments, or none",
                            example = "status"))
    Mono<Void> call(@PathVariable("name") String name, ServerWebExchange exchange) {
        exchange.getResponse().getHeaders().remove(Answers.STATUS_HEADER);
        return calls.call(calls.admitted(name, exchange).orElseThrow(() -> calls.refusal(name, exchange)), exchange);
    }
}
