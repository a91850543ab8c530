package io.millrace.eventing;

import static org.springframework.http.HttpMethod.DELETE;
import static org.springframework.http.HttpMethod.GET;
import static org.springframework.http.HttpMethod.HEAD;
import static org.springframework.http.HttpMethod.OPTIONS;
import static org.springframework.http.HttpMethod.PATCH;
import static org.springframework.http.HttpMethod.POST;
import static org.springframework.http.HttpMethod.PUT;

import io.millrace.access.Permission;
import io.millrace.accessspring.Doors;
import io.millrace.accessspring.Need;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;

/** What each route of this service needs. */
@Configuration(proxyBeanMethods = false)
public class EventingDoors {

    private static final String FUNCTIONS = "/api/v1/functions";
    private static final String FUNCTION = FUNCTIONS + "/{name}";
    private static final String LETTERS = FUNCTION + "/dead-letters";
    private static final String LIBRARIES = "/api/v1/libraries";
    private static final String LIBRARY = LIBRARIES + "/{name}/versions/{version}";
    private static final String SECRETS = "/api/v1/secrets";
    private static final String TIMERS = FUNCTION + "/timers";
    private static final String CANARY = FUNCTION + "/canary";
    private static final String VERSIONS = FUNCTION + "/versions";

    @Bean
    Doors doors() {
        Doors.Builder doors = Doors.table()
                .usual()
                .cluster(Permission.STATS_READ, GET, "/_prometheusMetrics", "/_prometheusMetricsHigh")
                .known(GET, "/getErrorCodes", "/version", "/uuid")
                .cluster(Permission.CLUSTER_READ, GET, "/getCpuCount", "/getWorkerCount", "/logFileLocation");
        functions(doors);
        secrets(doors);
        libraries(doors);
        progress(doors);
        requests(doors);
        doors.on(Need.Place.TOPIC, Permission.TOPICS_READ, GET, "/api/v1/topics/{topic}");
        return doors.build();
    }

    /** The settings of a function say whether everyone may call it. */
    private static void requests(Doors.Builder doors) {
        for (HttpMethod method : new HttpMethod[] {GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS}) {
            doors.delegated(method, "/fn/{name}/{*path}");
        }
    }

    /** A role on a function scope is enough for the functions in it; lists show those that the asking user may read. */
    private static void functions(Doors.Builder doors) {
        doors.known(
                        GET,
                        FUNCTIONS,
                        "/api/v1/list/functions",
                        "/api/v1/list/functions/query",
                        "/api/v1/status",
                        "/api/v1/dependencies",
                        "/api/v1/templates",
                        "/api/v1/traces",
                        "/getStatus")
                .on(
                        Need.Place.FUNCTION,
                        Permission.FUNCTIONS_READ,
                        GET,
                        FUNCTION,
                        FUNCTION + "/appcode",
                        FUNCTION + "/appcode/checksum",
                        CANARY,
                        FUNCTION + "/config",
                        FUNCTION + "/log",
                        FUNCTION + "/openapi",
                        FUNCTION + "/settings",
                        FUNCTION + "/types",
                        LETTERS,
                        LETTERS + "/{letter}",
                        TIMERS,
                        TIMERS + "/density",
                        TIMERS + "/scan",
                        TIMERS + "/status",
                        VERSIONS,
                        VERSIONS + "/{version}",
                        VERSIONS + "/{version}/diff",
                        "/api/v1/stats/{name}",
                        "/api/v1/status/{name}",
                        "/getAppLog")
                .on(
                        Need.Place.FUNCTION,
                        Permission.FUNCTIONS_MANAGE,
                        POST,
                        FUNCTION,
                        FUNCTION + "/appcode",
                        FUNCTION + "/config",
                        FUNCTION + "/settings",
                        FUNCTION + "/deploy",
                        FUNCTION + "/undeploy",
                        FUNCTION + "/pause",
                        FUNCTION + "/resume",
                        FUNCTION + "/dry-run",
                        LETTERS + "/replay",
                        LETTERS + "/{letter}/replay",
                        TIMERS + "/cancel",
                        TIMERS + "/fire",
                        TIMERS + "/move",
                        VERSIONS + "/{version}/rollback",
                        CANARY,
                        CANARY + "/promote",
                        CANARY + "/rollback")
                .on(Need.Place.FUNCTION, Permission.FUNCTIONS_MANAGE, DELETE, FUNCTION, LETTERS, LETTERS + "/{letter}")
                // compare or check what is in the body, and change nothing
                .on(
                        Need.Place.FUNCTION,
                        Permission.FUNCTIONS_READ,
                        POST,
                        FUNCTION + "/diff",
                        FUNCTION + "/appcode/check");
        debuggers(doors);
        allFunctions(doors);
    }

    /** Also to read the address of a debugger needs the right to save: its holder runs code with the rights of the debugger. */
    private static void debuggers(Doors.Builder doors) {
        doors.on(
                        Need.Place.FUNCTION,
                        Permission.FUNCTIONS_MANAGE,
                        GET,
                        FUNCTION + "/debug",
                        "/getDebuggerUrl",
                        "/getDebuggerUrl/")
                .on(
                        Need.Place.FUNCTION,
                        Permission.FUNCTIONS_MANAGE,
                        POST,
                        FUNCTION + "/debug",
                        "/startDebugger",
                        "/startDebugger/",
                        "/stopDebugger",
                        "/stopDebugger/")
                .on(Need.Place.FUNCTION, Permission.FUNCTIONS_MANAGE, DELETE, FUNCTION + "/debug");
    }

    /** What concerns all functions, whatever their scope. */
    private static void allFunctions(Doors.Builder doors) {
        doors.cluster(
                        Permission.FUNCTIONS_READ,
                        GET,
                        "/api/v1/config",
                        "/api/v1/export",
                        "/api/v1/stats",
                        "/getInsight")
                .cluster(
                        Permission.FUNCTIONS_MANAGE,
                        POST,
                        FUNCTIONS,
                        "/api/v1/config",
                        "/api/v1/import",
                        "/resetNodeStatsCounters",
                        "/resetStatsCounters")
                .cluster(Permission.FUNCTIONS_MANAGE, DELETE, FUNCTIONS, "/api/v1/config")
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

    /** Functions of all scopes may import a library, whose code they run with their own rights. */
    private static void libraries(Doors.Builder doors) {
        doors.cluster(Permission.FUNCTIONS_READ, GET, LIBRARIES, LIBRARY)
                .cluster(Permission.FUNCTIONS_MANAGE, PUT, LIBRARY)
                .cluster(Permission.FUNCTIONS_MANAGE, DELETE, LIBRARY);
    }

    /** The state of this node and of all nodes, and parts of the statistics, on Couchbase's paths. */
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
                "/getConsumerPids",
                "/getDcpEventsRemaining",
                "/getDeployedApps",
                "/getEventProcessingStats",
                "/getExecutionStats",
                "/getFailureStats",
                "/getLatencyStats",
                "/getLocallyDeployedApps",
                "/getOwnedVbsForApp",
                "/getOwnershipMap",
                "/getPausingApps",
                "/getRebalanceProgress",
                "/getRunningApps");
    }
}
