package io.millrace.subdocservice.pools;

import io.millrace.documents.DocumentStore;
import io.millrace.n1ql.keyspace.ServiceCatalog;
import io.millrace.subdocservice.cluster.Cluster;
import io.millrace.subdocservice.http.Requester;
import io.millrace.subdocservice.users.Logins;
import io.millrace.users.UserDirectory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

@Configuration(proxyBeanMethods = false)
class PoolsConfiguration {

    @Bean
    PoolsRoutes poolsRoutes(
            DocumentStore store, Cluster cluster, Logins logins, UserDirectory users, Requester requester) {
        return new PoolsRoutes(store, cluster, logins, users, requester);
    }

    @Bean
    ServiceCatalog serviceCatalog(DocumentStore store, UserDirectory users) {
        return new ManagedCatalog(users, new BucketManagement(store));
    }

    @Bean
    RouterFunction<ServerResponse> pools(PoolsRoutes routes) {
        return routes.router();
    }

    @Bean
    @Order // after the routes of everything else
    RouterFunction<ServerResponse> elsewhere(PoolsRoutes routes) {
        return routes.elsewhere();
    }
}
