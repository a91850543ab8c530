package io.millrace.subdocservice.cluster;

import io.millrace.metakv.MetakvClient;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class ClusterConfiguration {

    @Bean
    Cluster cluster() {
        return new Cluster();
    }

    @Bean
    EventingNodes eventingNodes(MetakvClient metakv, Cluster cluster) {
        return new EventingNodes(metakv, cluster);
    }
}
