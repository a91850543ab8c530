package io.millrace.eventing.http;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.filter.reactive.UrlHandlerFilter;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.result.method.annotation.ArgumentResolverConfigurer;

/** Limits and habits of the REST interface. */
@Configuration(proxyBeanMethods = false)
class HttpConfiguration implements WebFluxConfigurer {

    /** The largest body that is read: a few hundred functions. */
    static final int MAX_BODY_BYTES = 32 << 20;

    @Override
    public void configureArgumentResolvers(ArgumentResolverConfigurer resolvers) {
        resolvers.addCustomResolver(new FunctionNameResolver(), new BodyResolver());
    }

    /** Couchbase's clients write some paths with a slash at the end. */
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    UrlHandlerFilter trailingSlash() {
        return UrlHandlerFilter.trailingSlashHandler("/api/v1/**")
                .mutateRequest()
                .build();
    }
}
