package io.millrace.eventing.http.requests;

import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.RequestPaths;
import io.millrace.eventing.definition.Settings;
import io.millrace.handler.requests.RequestSchema;
import io.millrace.handler.requests.Verdict;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;

/** Refuses requests that are not as the setting {@code openapi} of their function says. Thread-safe. */
final class RequestSchemas {

    private record Compiled(RequestPaths setting, RequestSchema schema) {}

    /** By function; reading a schema takes longer than comparing a request with it. */
    private final Map<FunctionName, Compiled> known = new ConcurrentHashMap<>();

    void check(ServerWebExchange exchange, FunctionName function, Settings settings, byte[] body) {
        RequestPaths setting = settings.openapi();
        if (setting.isNone()) {
            known.remove(function);
            return;
        }
        Compiled compiled = known.compute(
                function,
                (name, before) -> before != null && before.setting().equals(setting)
                        ? before
                        : new Compiled(setting, RequestSchema.of(setting.json())));
        ServerHttpRequest request = exchange.getRequest();
        HttpMethod method = request.getMethod();
        Verdict verdict = compiled.schema()
                .check(new RequestSchema.Request(
                        method.equals(HttpMethod.HEAD) ? HttpMethod.GET.name() : method.name(),
                        RequestReader.segments(request),
                        request.getQueryParams(),
                        name -> header(request, name),
                        request.getHeaders().getFirst(HttpHeaders.CONTENT_TYPE),
                        body));
        if (verdict instanceof Verdict.NoMethod(var methods)) {
            allow(exchange.getResponse(), methods);
        }
        if (verdict instanceof Verdict.Refused refused) {
            throw Failures.notDescribed(refused, function.toString());
        }
    }

    /** As {@code OnRequest} sees it: several lines are one value. */
    private static @Nullable String header(ServerHttpRequest request, String name) {
        List<String> lines = request.getHeaders().get(name);
        return lines == null ? null : String.join(", ", lines);
    }

    private static void allow(ServerHttpResponse response, List<String> methods) {
        Set<HttpMethod> allowed = new LinkedHashSet<>();
        methods.forEach(method -> allowed.add(HttpMethod.valueOf(method)));
        if (allowed.contains(HttpMethod.GET)) {
            allowed.add(HttpMethod.HEAD);
        }
        LastHeaders.set(response, headers -> headers.setAllow(allowed));
    }
}
