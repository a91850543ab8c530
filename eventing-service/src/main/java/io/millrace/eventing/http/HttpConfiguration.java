package io.millrace.eventing.http;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.filter.reactive.UrlHandlerFilter;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.result.method.annotation.ArgumentResolverConfigurer;

/** Configuration of the REST API. */
@Configuration(proxyBeanMethods = false)
class HttpConfiguration implements WebFluxConfigurer {

    /** The largest request body in bytes: room for a few hundred functions. */
    static final int MAX_BODY_BYTES = 32 << 20;

    @Override
    public void configureArgumentResolvers(ArgumentResolverConfigurer resolvers) {
        resolvers.addCustomResolver(
                new FunctionNameResolver(), new AuthorResolver(), new AskerResolver(), new BodyResolver());
    }

    /** Couchbase's clients send some paths with a trailing slash. */
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    UrlHandlerFilter trailingSlash() {
        return UrlHandlerFilter.trailingSlashHandler("/api/v1/**")
                .mutateRequest()
                .build();
    }
}
