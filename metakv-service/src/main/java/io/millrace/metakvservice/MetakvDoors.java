package io.millrace.metakvservice;

import static org.springframework.http.HttpMethod.DELETE;
import static org.springframework.http.HttpMethod.GET;
import static org.springframework.http.HttpMethod.POST;
import static org.springframework.http.HttpMethod.PUT;

import io.millrace.access.Permission;
import io.millrace.accessspring.Doors;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;

/** What each route of this service needs. */
@Configuration(proxyBeanMethods = false)
class MetakvDoors {

    @Bean
    Doors doors() {
        Doors.Builder doors = Doors.table()
                .usual()
                .cluster(Permission.CONFIG_READ, GET, "/_metakv/{*path}")
                .cluster(Permission.CONFIG_WRITE, PUT, "/_metakv/{*path}")
                .cluster(Permission.CONFIG_WRITE, DELETE, "/_metakv/{*path}")
                .cluster(Permission.CLUSTER_READ, GET, "/api/v1/nodes", "/api/v1/nodes/{id}")
                .cluster(Permission.INTERNAL, PUT, "/api/v1/nodes/{id}")
                .cluster(Permission.INTERNAL, DELETE, "/api/v1/nodes/{id}")
                .cluster(Permission.CLUSTER_READ, GET, "/api/v1/topology", "/api/v1/topology/tasks")
                .cluster(Permission.CLUSTER_MANAGE, POST, "/api/v1/topology/failover", "/api/v1/topology/rebalance")
                .cluster(Permission.CLUSTER_MANAGE, DELETE, "/api/v1/topology/tasks/{id}")
                .cluster(Permission.SECURITY_READ, GET, "/api/v1/audit", "/api/v1/audit/trails")
                .cluster(Permission.INTERNAL, POST, "/api/v1/audit/trails/{trail}")
                .cluster(Permission.STREAMS_READ, GET, "/api/v1/streams")
                .cluster(Permission.STREAMS_READ, GET, "/api/v1/streams/{stream}", "/api/v1/streams/{stream}/events")
                .cluster(Permission.STREAMS_WRITE, POST, "/api/v1/streams/{stream}/events")
                .cluster(Permission.STREAMS_WRITE, DELETE, "/api/v1/streams/{stream}/events");
        // keys of passwords, hashes of API keys, secrets: for the services that check them
        for (HttpMethod method : new HttpMethod[] {GET, PUT, DELETE}) {
            doors.cluster(
                    Permission.INTERNAL,
                    method,
                    "/_metakv/users/{*path}",
                    "/_metakv/apikeys/{*path}",
                    "/_metakv/secrets/{*path}");
        }
        return doors.build();
    }
}
