package io.millrace.metakvservice;

import io.millrace.httpdoor.CountedExchanges;
import io.millrace.metakv.MetakvLimits;
import java.time.InstantSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.web.reactive.config.WebFluxConfigurer;

/** Starts the service. */
@SpringBootApplication(proxyBeanMethods = false)
class MetakvApplication implements WebFluxConfigurer {

    public static void main(String[] args) {
        SpringApplication.run(MetakvApplication.class, args);
    }

    @Override
    public void configureHttpMessageCodecs(ServerCodecConfigurer codecs) {
        codecs.defaultCodecs().maxInMemorySize(MetakvLimits.MAX_VALUE_BYTES);
    }

    /** Values and events are in memory whole. */
    @Bean
    CountedExchanges countedExchanges() {
        return new CountedExchanges();
    }

    @Bean
    @ConditionalOnMissingBean
    InstantSource clock() {
        return InstantSource.system();
    }
}
