package io.millrace.metakvservice.entries;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Health and metrics of this service. */
@Configuration(proxyBeanMethods = false)
class Observability {

    @Bean
    HealthIndicator mirrorHealthIndicator(Mirror mirror) {
        return () -> mirror.live()
                ? Health.up()
                        .withDetail("entries", mirror.size())
                        .withDetail("seqno", mirror.position())
                        .build()
                : Health.down()
                        .withDetail("reason", "The mirror has not caught up with Redis; lists and watches wait for it.")
                        .build();
    }

    @Bean
    MeterBinder metakvMeters(Mirror mirror, Entries entries) {
        return registry -> {
            Gauge.builder("millrace.metakv.entries", mirror, Mirror::size).register(registry);
            Gauge.builder("millrace.metakv.watchers", entries, Entries::watchers)
                    .register(registry);
        };
    }
}
