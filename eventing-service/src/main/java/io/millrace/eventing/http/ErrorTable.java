package io.millrace.eventing.http;

import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.libraries.LibraryException;
import io.millrace.httpdoor.BudgetExceededException;
import io.millrace.problemdetails.Problem;
import io.millrace.problemdetails.ProblemException;
import io.millrace.problemdetails.ProblemHandler;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ContentTooLargeException;
import org.springframework.web.server.MethodNotAllowedException;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebInputException;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/**
 * Maps every failure to its response: problem details on {@linkplain OwnPaths our own paths}, elsewhere Couchbase's error
 * body with the number of the error in the header {@code status}.
 */
@Component
@Order(-2) // before the handler of Spring Boot
class ErrorTable extends ProblemHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ErrorTable.class);
    private static final int RETRY_AFTER_SECONDS = 1;

    private final JsonMapper json = JsonMapper.builder().build();

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
        if (exchange.getResponse().isCommitted() || !StatusHeader.concerns(exchange)) {
            return Mono.error(failure);
        }
        if (OwnPaths.contains(exchange)) {
            return super.handle(exchange, failure);
        }
        return switch (failure) {
            case ProblemException refused -> refuse(exchange, refused.problem());
            case BudgetExceededException full -> refuse(exchange, overloaded());
            case FunctionsException refused -> answer(exchange, refused.code(), refused.description());
            case LibraryException refused -> refuse(exchange, problem(refused));
            case MethodNotAllowedException wrongMethod -> {
                exchange.getResponse().getHeaders().setAllow(wrongMethod.getSupportedMethods());
                yield answer(
                        exchange,
                        ErrorCode.ERR_METHOD_NOT_ALLOWED,
                        "%s is not allowed here, only %s."
                                .formatted(wrongMethod.getHttpMethod(), wrongMethod.getSupportedMethods()));
            }
            case DataBufferLimitException tooLarge -> answer(exchange, ErrorCode.ERR_READ_REQ, tooLarge());
            case ContentTooLargeException tooLarge -> answer(exchange, ErrorCode.ERR_READ_REQ, tooLarge());
            case ServerWebInputException wrong
            when wrong.getCause() instanceof DataBufferLimitException ->
                answer(exchange, ErrorCode.ERR_READ_REQ, tooLarge());
            case ServerWebInputException wrong ->
                answer(exchange, ErrorCode.ERR_INVALID_REQUEST, String.valueOf(wrong.getReason()));
            case ResponseStatusException missing
            when missing.getStatusCode().value() == 404 -> {
                String path = exchange.getRequest().getPath().value();
                ErrorCode code = AbsentPaths.code(path);
                yield answer(
                        exchange,
                        code == ErrorCode.ERR_DEBUGGER_DISABLED ? code.httpStatus() : 404,
                        code,
                        AbsentPaths.words(path));
            }
            case ResponseStatusException other ->
                answer(
                        exchange,
                        other.getStatusCode().value(),
                        ErrorCode.ERR_INVALID_REQUEST,
                        ofSpring(exchange.getRequest(), other).detail());
            default -> {
                LOG.error(
                        "event=request_failed method={} path={}",
                        exchange.getRequest().getMethod(),
                        exchange.getRequest().getPath(),
                        failure);
                yield answer(
                        exchange,
                        ErrorCode.INTERNAL_SERVER_ERROR,
                        "The service failed unexpectedly. This is a defect; the log has the details.");
            }
        };
    }

    private static String tooLarge() {
        return "The body is larger than %d bytes.".formatted(HttpConfiguration.MAX_BODY_BYTES);
    }

    /** Answers what a filter has refused, with Couchbase's error where it has one for the status. */
    private Mono<Void> refuse(ServerWebExchange exchange, Problem refused) {
        ErrorCode code = switch (refused.status()) {
            case 401 -> ErrorCode.ERR_UNAUTHENTICATED;
            case 403 -> ErrorCode.ERR_FORBIDDEN;
            default -> ErrorCode.ERR_INVALID_REQUEST;
        };
        return answer(exchange, refused.status(), code, refused.detail() + " " + refused.action());
    }

    private Mono<Void> answer(ServerWebExchange exchange, ErrorCode code, Object description) {
        return answer(exchange, code.httpStatus(), code, description);
    }

    private Mono<Void> answer(ServerWebExchange exchange, int status, ErrorCode code, Object description) {
        ServerHttpResponse response = exchange.getResponse();
        response.setStatusCode(HttpStatusCode.valueOf(status));
        response.getHeaders().set(Answers.STATUS_HEADER, Integer.toString(code.number()));
        response.getHeaders().setContentType(MediaType.APPLICATION_JSON);
        if (status == 503) {
            response.getHeaders().set(HttpHeaders.RETRY_AFTER, Integer.toString(RETRY_AFTER_SECONDS));
        }
        byte[] body = json.writeValueAsBytes(Answers.error(code, description));
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
    }

    @Override
    protected @Nullable Problem problem(Throwable failure) {
        return switch (failure) {
            case FunctionsException refused -> problem(refused);
            case LibraryException refused -> problem(refused);
            case DataBufferLimitException tooLarge ->
                Problem.of(HttpStatus.CONTENT_TOO_LARGE, "body_too_large", tooLarge());
            case BudgetExceededException full -> overloaded();
            default -> null;
        };
    }

    private static Problem overloaded() {
        return Problem.of(HttpStatus.SERVICE_UNAVAILABLE, "overloaded", BudgetExceededException.MESSAGE);
    }

    private static Problem problem(LibraryException refused) {
        String detail = String.valueOf(refused.getMessage());
        return switch (refused.code()) {
            case INVALID -> Problem.of(HttpStatus.BAD_REQUEST, "invalid_library", detail);
            case NOT_FOUND -> Problem.of(HttpStatus.NOT_FOUND, "library_not_found", detail);
            case EXISTS -> Problem.of(HttpStatus.CONFLICT, "library_exists", detail);
            case IN_USE -> Problem.of(HttpStatus.CONFLICT, "library_in_use", detail);
        };
    }

    private static Problem problem(FunctionsException refused) {
        HttpStatus status = HttpStatus.valueOf(refused.code().httpStatus());
        String code = switch (refused.code()) {
            case ERR_APP_NOT_FOUND, ERR_APP_NOT_FOUND_TS -> "function_not_found";
            case ERR_UNMARSHAL_PLD -> "invalid_json";
            case ERR_HANDLER_COMPILATION -> "code_does_not_compile";
            case ERR_REQUESTED_OP_FAILED -> "operation_failed";
            case INTERNAL_SERVER_ERROR -> Problem.INTERNAL;
            default -> refused.code().name().toLowerCase(Locale.ROOT).replaceFirst("^err_", "");
        };
        Problem problem = Problem.of(status, code, String.valueOf(refused.getMessage()));
        return refused.description() instanceof Map<?, ?> details
                ? problem.with("errors", details.get("errors"))
                : problem;
    }
}
