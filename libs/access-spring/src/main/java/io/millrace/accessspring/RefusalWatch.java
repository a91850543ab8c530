package io.millrace.accessspring;

import io.millrace.access.Subject;
import io.millrace.accessspring.RefusalMarks.Mark;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Records what other filters and the handlers refuse, before the response is sent, and asks clients to log in. */
final class RefusalWatch implements WebFilter, Ordered {

    private final GateAudit audit;

    RefusalWatch(GateAudit audit) {
        this.audit = audit;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        exchange.getResponse().beforeCommit(() -> {
            Mark mark = mark(exchange);
            if (mark == null || !mark.ours()) {
                return Mono.empty();
            }
            Subject subject = Subjects.of(exchange);
            if (!subject.known()
                    && HttpStatus.UNAUTHORIZED.equals(exchange.getResponse().getStatusCode())) {
                Challenge.set(exchange);
            }
            return audit.refused(exchange, subject, mark);
        });
        return chain.filter(exchange);
    }

    private static @Nullable Mark mark(ServerWebExchange exchange) {
        Mark mark = RefusalMarks.of(exchange);
        HttpStatusCode status = exchange.getResponse().getStatusCode();
        boolean refused = HttpStatus.UNAUTHORIZED.equals(status) || HttpStatus.FORBIDDEN.equals(status);
        return mark == null && refused ? Mark.UNKNOWN : mark;
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }
}
