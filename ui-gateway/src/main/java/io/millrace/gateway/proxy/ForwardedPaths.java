package io.millrace.gateway.proxy;

import java.util.List;
import java.util.stream.Stream;

/** The paths that the gateway passes on, with everything below them, by service. */
public final class ForwardedPaths {

    static final List<String> EVENTING = List.of(
            "/api/v1/functions",
            "/api/v1/status",
            "/api/v1/stats",
            "/api/v1/secrets",
            "/api/v1/list",
            "/api/v1/config",
            "/api/v1/export",
            "/api/v1/import",
            "/api/v1/backup",
            "/getAppLog",
            "/getInsight",
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
    static final List<String> SUBDOC = List.of(
            "/api/v1/buckets", "/api/v1/move", "/couch", "/query/service", "/admin/ping", "/admin/active_requests");
    static final List<String> METAKV = List.of("/_metakv", "/api/v1/nodes", "/api/v1/topology", "/api/v1/streams");

    private ForwardedPaths() {}

    /** Returns the patterns of all paths that are passed on. */
    public static List<String> all() {
        return Stream.of(EVENTING, SUBDOC, METAKV)
                .flatMap(List::stream)
                .flatMap(path -> Stream.of(path, path + "/**"))
                .toList();
    }
}
