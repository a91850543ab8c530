package io.millrace.gateway;

import java.net.URI;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.web.reactive.function.server.RequestPredicate;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Leads {@code /docs} to the first page of the documentation, which is on the class path as static files. */
@Configuration(proxyBeanMethods = false)
class DocsRoutes {

    /** Relative, so that it is right behind a proxy with a path of its own. */
    private static final URI FROM_ROOT = URI.create("docs/index.html");

    private static final URI FROM_DIRECTORY = URI.create("index.html");

    @Bean
    RouterFunction<ServerResponse> docsIndex() {
        return RouterFunctions.route(
                        reads("/docs"),
                        request -> ServerResponse.temporaryRedirect(FROM_ROOT).build())
                .andRoute(
                        reads("/docs/"),
                        request ->
                                ServerResponse.temporaryRedirect(FROM_DIRECTORY).build());
    }

    private static RequestPredicate reads(String path) {
        return RequestPredicates.methods(HttpMethod.GET, HttpMethod.HEAD).and(RequestPredicates.path(path));
    }
}
