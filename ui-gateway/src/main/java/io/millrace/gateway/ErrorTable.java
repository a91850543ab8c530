package io.millrace.gateway;

import io.millrace.httpdoor.BudgetExceededException;
import io.millrace.problemdetails.Problem;
import io.millrace.problemdetails.ProblemHandler;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Maps every failure of the gateway itself to its problem; responses of services pass through unchanged. */
@Component
@Order(-2) // before the handler of Spring Boot
final class ErrorTable extends ProblemHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ErrorTable.class);

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
        if (failure instanceof GatewayException known && status(known.code()).is5xxServerError()) {
            Throwable cause = failure.getCause() == null ? failure : failure.getCause();
            LOG.warn(
                    "event=upstream_failed method={} path={} service={} code={} cause=\"{}\"",
                    exchange.getRequest().getMethod(),
                    exchange.getRequest().getPath(),
                    known.service(),
                    known.code(),
                    cause.toString());
        }
        return super.handle(exchange, failure);
    }

    @Override
    protected @Nullable Problem problem(Throwable failure) {
        if (failure instanceof BudgetExceededException) {
            return Problem.of(HttpStatus.SERVICE_UNAVAILABLE, "overloaded", BudgetExceededException.MESSAGE);
        }
        if (!(failure instanceof GatewayException known)) {
            return null;
        }
        Problem problem = Problem.of(status(known.code()), known.code(), String.valueOf(known.getMessage()))
                .with("service", known.service());
        Duration retryAfter = known.retryAfter();
        String action = known.action();
        problem = retryAfter == null ? problem : problem.retryAfter(retryAfter);
        return action == null ? problem : problem.withAction(action);
    }

    private static HttpStatus status(GatewayException.Code code) {
        return switch (code) {
            case UPSTREAM_DOWN, UPSTREAM_SUSPENDED -> HttpStatus.SERVICE_UNAVAILABLE;
            case UPSTREAM_TIMEOUT -> HttpStatus.GATEWAY_TIMEOUT;
            case UPSTREAM_BROKEN, UPSTREAM_UNEXPECTED -> HttpStatus.BAD_GATEWAY;
            case TOO_MANY_REQUESTS, TOO_MANY_FEEDS -> HttpStatus.TOO_MANY_REQUESTS;
            case ACCESS_CHANGED -> HttpStatus.UNAUTHORIZED;
            case CLIENT_TIMEOUT -> HttpStatus.REQUEST_TIMEOUT;
            case INVALID_ARCHIVE -> HttpStatus.BAD_REQUEST;
            case ARCHIVE_TOO_LARGE -> HttpStatus.CONTENT_TOO_LARGE;
        };
    }
}
