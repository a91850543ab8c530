package io.millrace.accessspring;

import java.util.Map;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Writes refusals as CouchDB does below {@value #COUCH}, and as problem details elsewhere. */
final class ProtocolRefusals implements Refusals {

    private static final String COUCH = "/couch";

    @Override
    public Mono<Void> write(ServerWebExchange exchange, Refusal refusal) {
        String path = exchange.getRequest().getPath().value();
        return path.equals(COUCH) || path.startsWith(COUCH + "/")
                ? couch(exchange.getResponse(), refusal)
                : refusal.problem().writeTo(exchange);
    }

    private static Mono<Void> couch(ServerHttpResponse response, Refusal refusal) {
        response.setStatusCode(refusal.status());
        response.getHeaders().setContentType(MediaType.APPLICATION_JSON);
        if (refusal.retryAfter() != null) {
            response.getHeaders()
                    .set(
                            HttpHeaders.RETRY_AFTER,
                            Long.toString(Math.max(1, refusal.retryAfter().toSeconds())));
        }
        byte[] body =
                JsonMapper.shared().writeValueAsBytes(Map.of("error", refusal.code(), "reason", refusal.detail()));
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
    }
}
