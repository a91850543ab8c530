package io.millrace.subdocservice.pools;

import io.millrace.documents.DocumentStore;
import io.millrace.subdocservice.cluster.Cluster;
import io.millrace.subdocservice.users.Logins;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

@Configuration(proxyBeanMethods = false)
class PoolsConfiguration {

    @Bean
    RouterFunction<ServerResponse> pools(DocumentStore store, Cluster cluster, Logins logins) {
        return new PoolsRoutes(store, cluster, logins).router();
    }
}
