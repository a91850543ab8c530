package io.millrace.eventing.http;

import io.millrace.eventing.functions.FunctionName;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.PathParameter;
import io.swagger.v3.oas.models.parameters.QueryParameter;
import java.util.stream.Stream;
import org.springdoc.core.customizers.OperationCustomizer;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.web.filter.reactive.UrlHandlerFilter;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.result.method.annotation.ArgumentResolverConfigurer;

/** Limits and habits of the REST interface. */
@Configuration(proxyBeanMethods = false)
class HttpConfiguration implements WebFluxConfigurer {

    /** The largest body that is read: a few hundred functions. */
    static final int MAX_BODY_BYTES = 32 << 20;

    static {
        SpringDocUtils.getConfig().addRequestWrapperToIgnore(FunctionName.class);
    }

    @Override
    public void configureHttpMessageCodecs(ServerCodecConfigurer codecs) {
        codecs.defaultCodecs().maxInMemorySize(MAX_BODY_BYTES);
    }

    @Override
    public void configureArgumentResolvers(ArgumentResolverConfigurer resolvers) {
        resolvers.addCustomResolver(new FunctionNameResolver());
    }

    /** Couchbase's clients write some paths with a slash at the end. */
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    UrlHandlerFilter trailingSlash() {
        return UrlHandlerFilter.trailingSlashHandler("/api/v1/**")
                .mutateRequest()
                .build();
    }

    /** Describes what {@link FunctionNameResolver} reads. */
    @Bean
    OperationCustomizer functionNameParameters() {
        return (operation, method) -> {
            boolean named = Stream.of(method.getMethodParameters())
                    .anyMatch(parameter -> parameter.getParameterType() == FunctionName.class);
            if (named) {
                operation.addParametersItem(new PathParameter()
                        .name("name")
                        .schema(new StringSchema())
                        .description("the function's name"));
                operation.addParametersItem(new QueryParameter()
                        .name("bucket")
                        .schema(new StringSchema())
                        .required(false)
                        .description("bucket of its function scope, when it has one"));
                operation.addParametersItem(new QueryParameter()
                        .name("scope")
                        .schema(new StringSchema())
                        .required(false)
                        .description("scope of its function scope, when it has one"));
            }
            return operation;
        };
    }
}
