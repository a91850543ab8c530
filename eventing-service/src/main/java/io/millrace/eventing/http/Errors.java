package io.millrace.eventing.http;

import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ContentTooLargeException;
import org.springframework.web.server.MethodNotAllowedException;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebInputException;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Turns whatever goes wrong into the error envelope, with the number of the error in the header {@code status}. */
@Component
@Order(-2)
class Errors implements WebExceptionHandler {

    private static final Logger log = LoggerFactory.getLogger(Errors.class);
    private static final int RETRY_AFTER_SECONDS = 1;

    private final JsonMapper json = JsonMapper.builder().build();

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
        if (exchange.getResponse().isCommitted() || !StatusHeader.concerns(exchange)) {
            return Mono.error(failure);
        }
        return switch (failure) {
            case FunctionsException refused -> answer(exchange, refused.code(), refused.description());
            case MethodNotAllowedException wrongMethod -> {
                exchange.getResponse().getHeaders().setAllow(wrongMethod.getSupportedMethods());
                yield answer(
                        exchange,
                        ErrorCode.ERR_METHOD_NOT_ALLOWED,
                        "%s is not allowed here, only %s."
                                .formatted(wrongMethod.getHttpMethod(), wrongMethod.getSupportedMethods()));
            }
            case DataBufferLimitException tooLarge -> tooLarge(exchange);
            case ContentTooLargeException tooLarge -> tooLarge(exchange);
            case ServerWebInputException wrong
            when wrong.getCause() instanceof DataBufferLimitException -> tooLarge(exchange);
            case ServerWebInputException wrong ->
                answer(exchange, ErrorCode.ERR_INVALID_REQUEST, String.valueOf(wrong.getReason()));
            case ResponseStatusException other -> Mono.error(other);
            default -> {
                log.error(
                        "method={} path={} state=failed", exchange.getRequest().getMethod(), path(exchange), failure);
                yield answer(
                        exchange,
                        ErrorCode.INTERNAL_SERVER_ERROR,
                        "Something went wrong in the service; its log says more.");
            }
        };
    }

    private Mono<Void> tooLarge(ServerWebExchange exchange) {
        return answer(
                exchange,
                ErrorCode.ERR_READ_REQ,
                "The body is larger than the %d bytes that are read.".formatted(HttpConfiguration.MAX_BODY_BYTES));
    }

    private Mono<Void> answer(ServerWebExchange exchange, ErrorCode code, Object description) {
        ServerHttpResponse response = exchange.getResponse();
        response.setStatusCode(HttpStatusCode.valueOf(code.httpStatus()));
        response.getHeaders().set(Answers.STATUS_HEADER, Integer.toString(code.number()));
        response.getHeaders().setContentType(MediaType.APPLICATION_JSON);
        if (code.httpStatus() == 503) {
            response.getHeaders().set(HttpHeaders.RETRY_AFTER, Integer.toString(RETRY_AFTER_SECONDS));
        }
        byte[] body = json.writeValueAsBytes(Answers.error(code, description));
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
    }

    private static String path(ServerWebExchange exchange) {
        return exchange.getRequest().getPath().value();
    }
}
