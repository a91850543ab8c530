package io.millrace.eventing;

import static org.springframework.http.HttpMethod.DELETE;
import static org.springframework.http.HttpMethod.GET;
import static org.springframework.http.HttpMethod.POST;
import static org.springframework.http.HttpMethod.PUT;

import io.millrace.access.Permission;
import io.millrace.accessspring.Doors;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What each route of this service needs. */
@Configuration(proxyBeanMethods = false)
public class EventingDoors {

    private static final String FUNCTIONS = "/api/v1/functions";
    private static final String FUNCTION = FUNCTIONS + "/{name}";
    private static final String LETTERS = FUNCTION + "/dead-letters";
    private static final String SECRETS = "/api/v1/secrets";
    private static final String TIMERS = FUNCTION + "/timers";

    @Bean
    Doors doors() {
        Doors.Builder doors = Doors.table()
                .usual()
                .cluster(Permission.STATS_READ, GET, "/_prometheusMetrics", "/_prometheusMetricsHigh")
                .known(GET, "/getErrorCodes", "/version", "/uuid")
                .cluster(Permission.CLUSTER_READ, GET, "/getCpuCount", "/getWorkerCount", "/logFileLocation");
        functions(doors);
        secrets(doors);
        progress(doors);
        return doors.build();
    }

    private static void functions(Doors.Builder doors) {
        doors.cluster(
                        Permission.FUNCTIONS_READ,
                        GET,
                        FUNCTIONS,
                        FUNCTION,
                        FUNCTION + "/appcode",
                        FUNCTION + "/appcode/checksum",
                        FUNCTION + "/config",
                        FUNCTION + "/log",
                        FUNCTION + "/settings",
                        LETTERS,
                        LETTERS + "/{letter}",
                        TIMERS,
                        TIMERS + "/scan",
                        TIMERS + "/status",
                        "/api/v1/config",
                        "/api/v1/export",
                        "/api/v1/list/functions",
                        "/api/v1/stats",
                        "/api/v1/stats/{name}",
                        "/api/v1/status",
                        "/api/v1/status/{name}",
                        "/getAppLog",
                        "/getInsight",
                        "/getStatus")
                .cluster(
                        Permission.FUNCTIONS_MANAGE,
                        POST,
                        FUNCTIONS,
                        FUNCTION,
                        FUNCTION + "/appcode",
                        FUNCTION + "/config",
                        FUNCTION + "/settings",
                        FUNCTION + "/deploy",
                        FUNCTION + "/undeploy",
                        FUNCTION + "/pause",
                        FUNCTION + "/resume",
                        LETTERS + "/replay",
                        LETTERS + "/{letter}/replay",
                        TIMERS + "/cancel",
                        TIMERS + "/fire",
                        TIMERS + "/move",
                        "/api/v1/config",
                        "/api/v1/import",
                        "/resetNodeStatsCounters",
                        "/resetStatsCounters")
                .cluster(
                        Permission.FUNCTIONS_MANAGE,
                        DELETE,
                        FUNCTIONS,
                        FUNCTION,
                        LETTERS,
                        LETTERS + "/{letter}",
                        "/api/v1/config")
                // Couchbase's tools reset counters by GET
                .cluster(Permission.FUNCTIONS_MANAGE, GET, "/resetNodeStatsCounters", "/resetStatsCounters");
    }

    /** Names of secrets; no answer contains a value. */
    private static void secrets(Doors.Builder doors) {
        doors.cluster(Permission.FUNCTIONS_READ, GET, SECRETS)
                .cluster(Permission.FUNCTIONS_MANAGE, PUT, SECRETS + "/{name}")
                .cluster(Permission.FUNCTIONS_MANAGE, DELETE, SECRETS + "/{name}")
                .cluster(Permission.SECURITY_MANAGE, POST, SECRETS + "/rewrap");
    }

    /** The state of this node and of all nodes, on Couchbase's paths. */
    private static void progress(Doors.Builder doors) {
        doors.cluster(
                Permission.FUNCTIONS_READ,
                GET,
                "/getAggBootstrapAppStatus",
                "/getAggBootstrapStatus",
                "/getAggBootstrappingApps",
                "/getAggOwnedVbsForApp",
                "/getAggRebalanceProgress",
                "/getAggRebalanceStatus",
                "/getBootstrapAppStatus",
                "/getBootstrapStatus",
                "/getBootstrappingApps",
                "/getDeployedApps",
                "/getLocallyDeployedApps",
                "/getOwnedVbsForApp",
                "/getOwnershipMap",
                "/getPausingApps",
                "/getRebalanceProgress",
                "/getRunningApps");
    }
}
