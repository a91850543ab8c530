package io.millrace.eventing.http;

import io.millrace.access.Subject;
import io.millrace.accessspring.Subjects;
import org.springframework.core.MethodParameter;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Says who asks. Without a gate everyone is the administrator. */
final class SubjectResolver implements HandlerMethodArgumentResolver {

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == Subject.class;
    }

    @Override
    public Mono<Object> resolveArgument(
            MethodParameter parameter, BindingContext bindingContext, ServerWebExchange exchange) {
        return Mono.fromSupplier(() -> asker(exchange));
    }

    static Subject asker(ServerWebExchange exchange) {
        Subject subject = Subjects.of(exchange);
        return subject.known() ? subject : Subject.open();
    }
}
