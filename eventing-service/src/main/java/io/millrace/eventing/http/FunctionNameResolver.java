package io.millrace.eventing.http;

import io.millrace.access.Access;
import io.millrace.access.Permission;
import io.millrace.access.Resource;
import io.millrace.access.Subject;
import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import java.util.Map;
import java.util.Objects;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpMethod;
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
            FunctionName function =
                    FunctionName.of(query.getFirst("bucket"), query.getFirst("scope"), Objects.requireNonNull(name));
            require(exchange, function);
            return function;
        });
    }

    /** A role on a function scope is enough for the functions in it. */
    private static void require(ServerWebExchange exchange, FunctionName function) {
        Subject asker = AuthorResolver.asker(exchange);
        boolean reads = HttpMethod.GET.equals(exchange.getRequest().getMethod());
        Permission needed = reads ? Permission.FUNCTIONS_READ : Permission.FUNCTIONS_MANAGE;
        if (!Access.allowed(asker, needed, Resource.functionScope(function.bucket(), function.scope()))) {
            throw FunctionsException.of(
                    ErrorCode.ERR_FORBIDDEN,
                    "The roles of %s do not grant %s on the scope of the function %s. Ask an administrator for roles that do."
                            .formatted(asker.name(), needed.label(), function));
        }
    }
}
