package io.millrace.eventing.http;

import io.millrace.eventing.definition.FunctionName;
import java.util.Map;
import java.util.Objects;
import org.springframework.core.MethodParameter;
import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Reads the function that a request names: {@code name} in the path, its scope in the query. */
final class FunctionNameResolver implements HandlerMethodArgumentResolver {

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == FunctionName.class;
    }

    @Override
    public Mono<Object> resolveArgument(
            MethodParameter parameter, BindingContext bindingContext, ServerWebExchange exchange) {
        return Mono.fromSupplier(() -> {
            Map<String, String> path = exchange.getRequiredAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE);
            MultiValueMap<String, String> query = exchange.getRequest().getQueryParams();
            String name = path.getOrDefault("name", "");
            return FunctionName.of(query.getFirst("bucket"), query.getFirst("scope"), Objects.requireNonNull(name));
        });
    }
}
