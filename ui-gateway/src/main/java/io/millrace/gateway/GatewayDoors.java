package io.millrace.gateway;

import static org.springframework.http.HttpMethod.DELETE;
import static org.springframework.http.HttpMethod.GET;
import static org.springframework.http.HttpMethod.POST;

import io.millrace.access.Permission;
import io.millrace.accessspring.CouchSessions;
import io.millrace.accessspring.Doors;
import io.millrace.gateway.proxy.ForwardedPaths;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What each route of this service needs. The services behind it decide about the paths that are passed on to them. */
@Configuration(proxyBeanMethods = false)
class GatewayDoors {

    @Bean
    Doors doors() {
        return Doors.table()
                .usual()
                .open(
                        "/",
                        "/index.html",
                        "/console",
                        "/console/**",
                        "/login.html",
                        "/login.css",
                        "/login.js",
                        "/style.css",
                        "/icon.svg",
                        "/docs",
                        "/docs/",
                        "/docs/**")
                .known(GET, "/eventing/v3/api-docs", "/subdoc/v3/api-docs", "/metakv/v3/api-docs")
                .cluster(Permission.STATS_READ, GET, "/actuator/circuitbreakers")
                .cluster(Permission.CLUSTER_MANAGE, POST, "/actuator/circuitbreakers/{name}")
                .known(GET, "/api/v1/session")
                .delegated(POST, "/api/v1/session", CouchSessions.PATH)
                .delegated(DELETE, "/api/v1/session", CouchSessions.PATH)
                .known(GET, "/api/v1/export")
                .known(POST, "/api/v1/import")
                .delegated(ForwardedPaths.all())
                .build();
    }
}
