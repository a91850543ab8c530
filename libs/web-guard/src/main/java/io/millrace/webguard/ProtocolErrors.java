package io.millrace.webguard;

import io.millrace.problemdetails.Problem;
import io.millrace.problemdetails.ProblemException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Writes the refusals of filters in the format of the protocol that the path belongs to, where that is not problem details. */
final class ProtocolErrors implements WebExceptionHandler {

    /** Couchbase's number for a request that may not be made. */
    private static final int NOT_AUTHORIZED = 13014;

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
        String path = exchange.getRequest().getPath().value();
        if (!(failure instanceof ProblemException refused)
                || exchange.getResponse().isCommitted()) {
            return Mono.error(failure);
        }
        if (Faces.isCouch(path)) {
            return write(exchange, refused.problem(), couch(refused.problem()));
        }
        return Faces.isQuery(path) ? write(exchange, refused.problem(), query(refused.problem())) : Mono.error(failure);
    }

    private static Map<String, Object> couch(Problem problem) {
        String error = switch (problem.status()) {
            case 401 -> "unauthorized";
            case 403 -> "forbidden";
            case 415 -> "bad_content_type";
            default -> problem.code();
        };
        return body("error", error, "reason", problem.detail() + " " + problem.action());
    }

    private static Map<String, Object> query(Problem problem) {
        Map<String, Object> error = body("code", NOT_AUTHORIZED, "msg", problem.detail() + " " + problem.action());
        Map<String, Object> body = body("requestID", UUID.randomUUID().toString(), "errors", List.of(error));
        body.put("status", "fatal");
        return body;
    }

    private static Map<String, Object> body(String name, Object value, String other, Object otherValue) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put(name, value);
        body.put(other, otherValue);
        return body;
    }

    /** Leaves the headers that there are: without those of CORS a page could not read why it was refused. */
    private static Mono<Void> write(ServerWebExchange exchange, Problem problem, Map<String, Object> body) {
        ServerHttpResponse response = exchange.getResponse();
        response.setRawStatusCode(problem.status());
        response.getHeaders().setContentType(MediaType.APPLICATION_JSON);
        Long retryAfter = problem.retryAfterSeconds();
        if (retryAfter != null) {
            response.getHeaders().set(HttpHeaders.RETRY_AFTER, retryAfter.toString());
        }
        byte[] bytes = JsonMapper.shared().writeValueAsBytes(body);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(bytes)));
    }
}
