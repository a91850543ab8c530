package io.millrace.subdocservice.pools;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** Requests of the cluster manager's REST API that Millrace has no counterpart for below the same path. */
final class Elsewhere {

    /** The paths of that API; what is not served below them gets a response that says what to use. */
    static final List<String> PATTERNS = List.of(
            "/pools/**", "/settings/**", "/controller/**", "/node/**", "/nodes/**", "/nodeInit", "/sampleBuckets/**");

    /** What to use instead, by the beginning of the path; the first that fits counts. */
    private static final Map<String, String> INSTEAD = new LinkedHashMap<>();

    static {
        INSTEAD.put(
                "/settings/rbac",
                "There are no groups: grant roles to users, with PUT /settings/rbac/users/local/{user}. GET"
                        + " /settings/rbac/roles lists the roles.");
        INSTEAD.put(
                "/settings/indexes", "Index settings do not exist; indexes are kept up to date when they are read.");
        INSTEAD.put("/settings/audit", "The audit trail is always on; docs/how-to/secure.md says where it is.");
        INSTEAD.put(
                "/settings",
                "Settings of the cluster are environment variables; docs/reference/environment.md lists them.");
        INSTEAD.put(
                "/sampleBuckets",
                "There are no sample buckets; load documents with POST /api/v1/buckets/{bucket}/bulk.");
        INSTEAD.put(
                "/controller",
                "Nodes join by starting; for topology changes use POST /api/v1/topology of the gateway.");
        INSTEAD.put(
                "/node",
                "A node has its settings from environment variables; docs/reference/environment.md lists them.");
        INSTEAD.put(
                "/pools",
                "Buckets: GET, POST /pools/default/buckets, GET, POST, DELETE /pools/default/buckets/{bucket}, POST"
                        + " .../controller/doFlush; collections: .../scopes, .../scopes/{scope}/collections. Everything else is"
                        + " below /api/v1, see /v3/api-docs.");
    }

    private Elsewhere() {}

    static RouterFunctions.Builder routes() {
        RouterFunctions.Builder routes = RouterFunctions.route();
        PATTERNS.forEach(pattern -> routes.route(RequestPredicates.path(pattern), Elsewhere::answer));
        return routes;
    }

    private static Mono<ServerResponse> answer(ServerRequest request) {
        HttpMethod method = request.method();
        String path = request.path();
        String instead = INSTEAD.entrySet().stream()
                .filter(entry -> path.startsWith(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("See /v3/api-docs.");
        return ServerResponse.status(HttpStatus.NOT_FOUND)
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(BucketJson.bytes(Map.of(
                        "errors",
                        Map.of(
                                ManagementAnswers.WHOLE,
                                "Millrace does not serve %s %s. %s".formatted(method, path, instead)))));
    }
}
