package io.millrace.subdocservice.cluster;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class ClusterConfiguration {

    @Bean
    Cluster cluster(@Value("${millrace.gateway.url:}") String gateway) {
        return new Cluster(gateway);
    }
}
