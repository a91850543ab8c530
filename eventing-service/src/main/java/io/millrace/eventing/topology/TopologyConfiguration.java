package io.millrace.eventing.topology;

import io.millrace.metakv.MetakvClient;
import io.millrace.metakv.NodeInfo;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Registers this process as a node of the cluster. */
@Configuration(proxyBeanMethods = false)
class TopologyConfiguration {

    @Bean
    ClusterNode clusterNode(
            MetakvClient metakv,
            @Value("${millrace.node-id}") String nodeId,
            @Value("${millrace.advertise-url}") String advertised,
            @Value("${server.address}") String bind,
            @Value("${server.port}") int port) {
        String address = AdvertisedUrl.of(advertised, bind, port);
        return new ClusterNode(metakv, new NodeInfo(nodeId, ClusterNode.SERVICE, address, ServiceVersion.text()));
    }

    /** Whether this process is ready does not depend on the topology after it has joined. */
    @Bean
    HealthIndicator clusterHealthIndicator(ClusterNode node) {
        return () -> node.joined()
                ? Health.up().build()
                : Health.outOfService()
                        .withDetail(
                                "waitsFor",
                                "metakv-service, or the workers of its functions before it joins other nodes")
                        .build();
    }
}
