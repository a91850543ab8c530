package io.millrace.subdocservice.sdk;

import java.time.Duration;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.http.client.ReactorResourceFactory;

/**
 * Gives a service of a test event loops of its own: a context that closes ends those that it uses, and with the global ones
 * the HTTP server of every other service in this JVM.
 */
@TestConfiguration(proxyBeanMethods = false)
class OwnEventLoops {

    @Bean
    ReactorResourceFactory eventLoops() {
        ReactorResourceFactory factory = new ReactorResourceFactory();
        factory.setUseGlobalResources(false);
        factory.setShutdownQuietPeriod(Duration.ZERO);
        return factory;
    }
}
