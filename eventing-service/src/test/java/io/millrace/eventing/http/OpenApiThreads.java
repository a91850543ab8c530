package io.millrace.eventing.http;

import io.swagger.v3.oas.models.OpenAPI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;

/** Notes which threads make the OpenAPI document. */
final class OpenApiThreads implements GlobalOpenApiCustomizer {

    private final Set<Thread> seen = ConcurrentHashMap.newKeySet();

    @Override
    public void customise(OpenAPI document) {
        seen.add(Thread.currentThread());
    }

    Set<Thread> seen() {
        return seen;
    }
}
