package io.millrace.gateway;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * The page around Swagger UI: a heading, ways back, names and colours that the library lacks. What it does not have is the library's own
 * file of that name.
 */
@Configuration(proxyBeanMethods = false)
class ExplorerRoutes {

    @Bean
    RouterFunction<ServerResponse> explorerPage() {
        return RouterFunctions.resources("/swagger-ui/*", new ClassPathResource("explorer/"));
    }
}
