package io.millrace.gateway;

import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * The page around Swagger UI: a heading, ways back, names and colours that the library lacks. Other files below its path are the
 * library's own.
 */
@Configuration(proxyBeanMethods = false)
class ExplorerRoutes {

    private static final List<String> FILES = List.of("index.html", "explorer.css", "explorer.js");

    @Bean
    RouterFunction<ServerResponse> explorerPage() {
        RouterFunctions.Builder routes = RouterFunctions.route();
        for (String file : FILES) {
            ClassPathResource content = new ClassPathResource("explorer/" + file);
            routes.GET("/swagger-ui/" + file, request -> ServerResponse.ok().body(BodyInserters.fromResource(content)));
        }
        return routes.build();
    }
}
