package io.millrace.gateway.proxy;

import io.millrace.accessspring.CouchSessions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;

/** The paths that the gateway passes on, with everything below them, by service. */
public final class ForwardedPaths {

    static final List<String> EVENTING = List.of(
            "/api/v1/functions",
            "/api/v1/status",
            "/api/v1/stats",
            "/api/v1/secrets",
            "/api/v1/libraries",
            "/api/v1/topics",
            "/api/v1/list",
            "/api/v1/config",
            "/api/v1/dependencies",
            "/api/v1/backup",
            "/api/v1/templates",
            "/api/v1/traces",
            "/_prometheusMetrics",
            "/_prometheusMetricsHigh",
            "/version",
            "/uuid",
            "/getCpuCount",
            "/getWorkerCount",
            "/getAppLog",
            "/getInsight",
            "/getExecutionStats",
            "/getFailureStats",
            "/getLatencyStats",
            "/getEventProcessingStats",
            "/getDcpEventsRemaining",
            "/getConsumerPids",
            "/getSeqsProcessed",
            "/getUserInfo",
            "/startDebugger",
            "/stopDebugger",
            "/getDebuggerUrl",
            "/writeDebuggerURL",
            "/logLevel",
            "/logFileLocation",
            "/resetStatsCounters",
            "/resetNodeStatsCounters",
            "/getStatus",
            "/getRunningApps",
            "/getDeployedApps",
            "/getLocallyDeployedApps",
            "/getBootstrappingApps",
            "/getBootstrapStatus",
            "/getBootstrapAppStatus",
            "/getAggBootstrappingApps",
            "/getAggBootstrapStatus",
            "/getAggBootstrapAppStatus",
            "/getPausingApps",
            "/getErrorCodes",
            "/getOwnershipMap",
            "/getOwnedVbsForApp",
            "/getAggOwnedVbsForApp",
            "/getRebalanceProgress",
            "/getAggRebalanceProgress",
            "/getAggRebalanceStatus");

    /** Requests for functions, which have limits of their own: a slow function must not keep people from managing it. */
    static final List<String> REQUESTS = List.of("/fn");

    static final List<String> SUBDOC = List.of(
            "/api/v1/buckets",
            "/api/v1/keys",
            "/api/v1/move",
            "/couch",
            "/query/service",
            "/admin/ping",
            "/admin/active_requests",
            "/settings/rbac",
            "/controller/changePassword",
            "/whoami");
    static final List<String> METAKV =
            List.of("/_metakv", "/api/v1/nodes", "/api/v1/topology", "/api/v1/streams", "/api/v1/audit");

    /** Those of eventing-service for which the gateway has routes of its own: archives. */
    static final List<String> SHARED = List.of("/api/v1/export", "/api/v1/import");

    /** Those of subdoc-service for which the gateway has routes of its own, one segment below a path that is passed on. */
    static final List<String> SHARED_BELOW = List.of(CouchSessions.PATH);

    private static final int MOST_SEGMENTS = 3;

    private ForwardedPaths() {}

    /** Returns a table of services for {@link #find}. */
    static <T> Map<String, T> table(T eventing, T functions, T subdoc, T metakv) {
        Map<String, T> services = new HashMap<>();
        EVENTING.forEach(path -> services.put(path, eventing));
        REQUESTS.forEach(path -> services.put(path, functions));
        SUBDOC.forEach(path -> services.put(path, subdoc));
        METAKV.forEach(path -> services.put(path, metakv));
        return Map.copyOf(services);
    }

    /**
     * Returns the service that a path belongs to, or null if it belongs to none or has a route. Reads paths as routes do:
     * decoded and without parameters.
     */
    static <T> @Nullable T find(Map<String, T> services, PathContainer path) {
        StringBuilder prefix = new StringBuilder();
        int segments = 0;
        List<PathContainer.Element> elements = path.elements();
        for (int i = 0; i < elements.size(); i++) {
            if (!(elements.get(i) instanceof PathContainer.PathSegment segment)) {
                prefix.append(elements.get(i).value());
                continue;
            }
            String name = segment.valueToMatch();
            if (name.indexOf('/') >= 0) {
                return null; // an encoded slash does not divide segments
            }
            T service = services.get(prefix.append(name).toString());
            if (service != null) {
                return isShared(prefix, elements.subList(i + 1, elements.size())) ? null : service;
            }
            if (++segments == MOST_SEGMENTS) {
                break;
            }
        }
        return null;
    }

    private static boolean isShared(StringBuilder prefix, List<PathContainer.Element> rest) {
        return rest.size() == 2
                && rest.getLast() instanceof PathContainer.PathSegment last
                && SHARED_BELOW.contains(prefix + "/" + last.valueToMatch());
    }

    /** Returns the patterns of all paths that are passed on. */
    public static List<String> all() {
        Stream<String> roots =
                Stream.of(EVENTING, SHARED, REQUESTS, SUBDOC, METAKV).flatMap(List::stream);
        return Stream.concat(SHARED_BELOW.stream(), roots.flatMap(path -> Stream.of(path, path + "/**")))
                .toList();
    }
}
