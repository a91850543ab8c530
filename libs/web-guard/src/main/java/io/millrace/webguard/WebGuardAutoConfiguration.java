package io.millrace.webguard;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Puts the guard in front of every request of a service. */
@AutoConfiguration
@EnableConfigurationProperties(WebGuardProperties.class)
class WebGuardAutoConfiguration {

    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE) // before anything that reads the request or asks who sent it
    WebGuard webGuard(WebGuardProperties properties) {
        return new WebGuard(properties.ownHosts(), new CorsDoor(properties.corsOrigins()));
    }

    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE) // before the handlers that write problems
    ProtocolErrors protocolErrors() {
        return new ProtocolErrors();
    }
}
