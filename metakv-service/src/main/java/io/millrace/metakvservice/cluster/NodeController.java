package io.millrace.metakvservice.cluster;

import io.millrace.metakv.NodeInfo;
import io.millrace.metakvservice.http.ErrorTable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** The registry of nodes over HTTP. */
@RestController
@RequestMapping("/api/v1/nodes")
@Tag(name = "Nodes")
final class NodeController {

    private static final int DEFAULT_LEASE_SECONDS = 10;

    /** What a node reports about itself. */
    record NodeRequest(
            @Nullable String service,
            @Nullable String address,
            @Nullable String version,
            @Nullable String host,
            @Nullable String process,
            @Nullable Integer leaseSeconds) {}

    /** A node in a list. */
    record NodeView(String id, String service, String address, String version, Instant expires) {
        static NodeView of(NodeRegistry.Registration registration) {
            NodeInfo node = registration.node();
            return new NodeView(node.id(), node.service(), node.address(), node.version(), registration.expires());
        }
    }

    private final NodeRegistry nodes;

    NodeController(NodeRegistry nodes) {
        this.nodes = nodes;
    }

    @GetMapping
    @Operation(
            operationId = "listNodes",
            summary = "List the live nodes",
            description = "Processes of any service whose registration has not ended.")
    Mono<List<NodeView>> list() {
        return nodes.list().map(found -> found.stream().map(NodeView::of).toList());
    }

    @GetMapping("/{id}")
    @Operation(
            operationId = "getNode",
            summary = "Get a node",
            description = "Service, address and version as registered, and when the registration ends.")
    @ApiResponse(responseCode = "200", description = "The node")
    @ApiResponse(responseCode = "404", description = "No such node is registered")
    Mono<NodeView> get(@PathVariable String id) {
        return nodes.get(id)
                .map(NodeView::of)
                .switchIfEmpty(Mono.error(() -> ErrorTable.notFound("The node '" + id + "' is not registered.")));
    }

    @PutMapping("/{id}")
    @Operation(
            summary = "Register a node, or renew its lease",
            description = "The registration ends `leaseSeconds` (3 to 3600, default 10) after the latest renewal. "
                    + "Until then only a process with the same `host` and `address` can renew it or take it over, "
                    + "the latter once for each `process`, a random id that a process chooses when it starts.")
    @ApiResponse(responseCode = "200", description = "Registered until `expires`")
    @ApiResponse(responseCode = "400", description = "The node or its lease is not valid")
    @ApiResponse(responseCode = "409", description = "The id is registered for another host or address")
    Mono<NodeView> register(@PathVariable String id, @RequestBody NodeRequest request) {
        var node = new NodeInfo(id, orEmpty(request.service()), orEmpty(request.address()), orEmpty(request.version()));
        Integer lease = request.leaseSeconds();
        return nodes.register(node, place(request), Duration.ofSeconds(lease == null ? DEFAULT_LEASE_SECONDS : lease))
                .map(NodeView::of);
    }

    @DeleteMapping("/{id}")
    @Operation(
            operationId = "removeNode",
            summary = "Remove a node",
            description = "Succeeds if the node is not registered.")
    Mono<Map<String, String>> remove(@PathVariable String id) {
        return nodes.remove(id).thenReturn(Map.of("id", id));
    }

    private static NodeRegistry.Place place(NodeRequest request) {
        return new NodeRegistry.Place(orEmpty(request.host()), orEmpty(request.process()));
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
