package io.millrace.eventing.http;

import io.millrace.httpdoor.CountedExchanges;
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

    /** Definitions, imports and requests to functions are in memory whole, like the answers. */
    @Bean
    CountedExchanges countedExchanges() {
        return new CountedExchanges();
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
