package io.millrace.gateway;

import java.net.URI;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.config.ResourceHandlerRegistry;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.function.server.RequestPredicate;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.reactive.resource.EncodedResourceResolver;
import org.springframework.web.reactive.resource.PathResourceResolver;
import reactor.core.publisher.Mono;

/** Serves the console, whose files are on the class path: every address below {@code /console} is a place in one page. */
@Configuration(proxyBeanMethods = false)
class ConsoleRoutes implements WebFluxConfigurer {

    private static final String ASSETS = "/console/assets/**";

    /** The names of the files change with their content. */
    private static final CacheControl FOR_GOOD =
            CacheControl.maxAge(Duration.ofDays(365)).cachePublic().immutable();

    private static final Resource PAGE = new ClassPathResource("static/console/index.html");

    /** Relative, so that it is right behind a proxy with a path of its own. */
    private static final URI FROM_ROOT = URI.create("console/");

    @Override
    public void addResourceHandlers(ResourceHandlerRegistry registry) {
        registry.addResourceHandler(ASSETS)
                .addResourceLocations("classpath:/static/console/assets/")
                .setCacheControl(FOR_GOOD)
                .resourceChain(true)
                .addResolver(new EncodedResourceResolver())
                .addResolver(new PathResourceResolver());
    }

    @Bean
    RouterFunction<ServerResponse> consolePage() {
        return RouterFunctions.route(
                        reads("/", "/index.html", "/console"),
                        request -> ServerResponse.temporaryRedirect(FROM_ROOT).build())
                .andRoute(
                        reads("/console/**").and(RequestPredicates.path(ASSETS).negate()), ConsoleRoutes::page);
    }

    private static Mono<ServerResponse> page(ServerRequest request) {
        return ServerResponse.ok()
                .contentType(MediaType.TEXT_HTML)
                .cacheControl(CacheControl.noCache())
                .bodyValue(PAGE);
    }

    private static RequestPredicate reads(String... paths) {
        RequestPredicate any = RequestPredicates.path(paths[0]);
        for (String path : paths) {
            any = any.or(RequestPredicates.path(path));
        }
        return RequestPredicates.methods(HttpMethod.GET, HttpMethod.HEAD).and(any);
    }
}
