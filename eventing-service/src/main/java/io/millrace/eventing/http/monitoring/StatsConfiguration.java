package io.millrace.eventing.http.monitoring;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.eventing.runtime.FunctionRuntime;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts this package together. */
@Configuration(proxyBeanMethods = false)
class StatsConfiguration {

    private static final Duration SAMPLE = Duration.ofSeconds(1);

    @Bean
    StatsView statsView(InstantSource clock) {
        return new StatsView(clock);
    }

    @Bean
    FunctionMetrics functionMetrics(
            FunctionRuntime runtime, MeterRegistry registry, ObjectProvider<PrometheusRegistry> prometheus) {
        FunctionMetrics metrics = new FunctionMetrics(runtime, registry);
        prometheus.ifAvailable(found -> found.register(metrics));
        return metrics;
    }

    @Bean
    Sampling sampling(FunctionMetrics metrics) {
        return new Sampling(metrics, SAMPLE);
    }
}
