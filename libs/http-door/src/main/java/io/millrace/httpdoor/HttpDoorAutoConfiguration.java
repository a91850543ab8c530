package io.millrace.httpdoor;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.netty.channel.Channel;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.web.reactive.config.BlockingExecutionConfigurer;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.server.WebFilter;
import reactor.netty.NettyPipeline;

/** Gives the HTTP server of a service its limits, and the service its budget of bytes. */
@AutoConfiguration
@EnableConfigurationProperties(HttpDoorLimits.class)
public final class HttpDoorAutoConfiguration {

    @Bean
    WebServerFactoryCustomizer<NettyReactiveWebServerFactory> httpDoor(HttpDoorLimits limits) {
        var connections = new ConnectionCount(limits.maxConnections());
        return factory -> factory.addServerCustomizers(
                server -> server.doOnChannelInit((observer, channel, remote) -> guard(channel, connections, limits)));
    }

    @Bean
    ByteBudget byteBudget(HttpDoorLimits limits) {
        return new ByteBudget(limits.heldBytes(), limits.roomTimeout());
    }

    /** Before all other filters: what a request holds is returned when everything else about it has ended. */
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    WebFilter heldBytes(ByteBudget budget) {
        return (exchange, chain) -> {
            HeldBytes held = HeldBytes.begin(exchange, budget);
            return chain.filter(exchange).doFinally(end -> held.endWhenSent(exchange.getResponse()));
        };
    }

    /** Springdoc takes seconds for its first document, and holds a lock: event loops would answer no request meanwhile. */
    @Bean
    WebFluxConfigurer openApiOffTheEventLoops() {
        return new WebFluxConfigurer() {
            @Override
            public void configureBlockingExecution(BlockingExecutionConfigurer blocking) {
                blocking.setExecutor(new VirtualThreadTaskExecutor("openapi-"));
                blocking.setControllerMethodPredicate(
                        method -> method.getBeanType().getName().startsWith("org.springdoc."));
            }
        };
    }

    @Bean
    MeterBinder byteBudgetMeters(ByteBudget budget) {
        return registry -> {
            Gauge.builder("millrace.bytes.held", budget, ByteBudget::held)
                    .description("Bytes of requests and responses that the service holds")
                    .register(registry);
            Gauge.builder("millrace.bytes.limit", budget, ByteBudget::limit)
                    .description("The most bytes of requests and responses that it may hold")
                    .register(registry);
            Gauge.builder("millrace.bytes.waiting", budget, ByteBudget::waiting)
                    .description("Requests and responses that wait because they do not fit")
                    .register(registry);
            FunctionCounter.builder("millrace.bytes.refused", budget, ByteBudget::refused)
                    .description("How often a request or response did not fit, at once or in time")
                    .register(registry);
        };
    }

    private static void guard(Channel channel, ConnectionCount connections, HttpDoorLimits limits) {
        if (connections.add(channel)) {
            RequestDeadlines.guard(channel, NettyPipeline.HttpCodec, limits);
        } else {
            channel.close();
        }
    }
}
