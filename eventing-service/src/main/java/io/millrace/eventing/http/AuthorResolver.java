package io.millrace.eventing.http;

import io.millrace.access.Subject;
import io.millrace.accessspring.Subjects;
import io.millrace.eventing.versions.Author;
import java.util.Objects;
import org.springframework.core.MethodParameter;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Says who saves a function, and {@code note} in the query why. Without a gate everyone is the administrator. */
final class AuthorResolver implements HandlerMethodArgumentResolver {

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == Author.class;
    }

    @Override
    public Mono<Object> resolveArgument(
            MethodParameter parameter, BindingContext bindingContext, ServerWebExchange exchange) {
        return Mono.fromSupplier(() -> new Author(
                asker(exchange),
                Objects.requireNonNullElse(
                        exchange.getRequest().getQueryParams().getFirst("note"), "")));
    }

    static Subject asker(ServerWebExchange exchange) {
        Subject subject = Subjects.of(exchange);
        return subject.known() ? subject : Subject.open();
    }
}
