package io.millrace.eventing.http;

import io.millrace.httpdoor.BufferBytes;
import org.springframework.core.MethodParameter;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Reads the whole body; fails with a DataBufferLimitException if it exceeds the limit. */
final class BodyResolver implements HandlerMethodArgumentResolver {

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == Body.class;
    }

    @Override
    public Mono<Object> resolveArgument(
            MethodParameter parameter, BindingContext bindingContext, ServerWebExchange exchange) {
        return DataBufferUtils.join(exchange.getRequest().getBody(), HttpConfiguration.MAX_BODY_BYTES)
                .map(BufferBytes::take)
                .defaultIfEmpty(new byte[0])
                .map(Body::new);
    }
}
