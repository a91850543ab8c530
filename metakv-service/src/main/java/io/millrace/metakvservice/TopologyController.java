package io.millrace.metakvservice;

import io.millrace.rebalance.Change;
import io.millrace.rebalance.ClusterView;
import io.millrace.rebalance.Layout;
import io.millrace.rebalance.Planner;
import io.millrace.rebalance.TaskList;
import io.millrace.rebalance.TopologyChange;
import io.millrace.rebalance.VbucketSet;
import io.millrace.rebalance.Versioned;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Which eventing nodes share the vbuckets, over HTTP. */
@RestController
@RequestMapping("/api/v1/topology")
@Tag(name = "Topology", description = "Which eventing nodes share the vbuckets of functions, and changes of that.")
final class TopologyController {

    /** The nodes that a person wants; nodes that are alive and not named in either list are kept. */
    record Wanted(
            @Nullable List<String> keepNodes, @Nullable List<String> ejectNodes) {}

    /** Nodes to fail over. */
    record Failed(@Nullable List<String> nodes, @Nullable Boolean graceful) {}

    /**
     * The cluster as people see it.
     *
     * @param planned by node, the vbuckets that it should have of each function
     * @param before the same as it was before the running change; empty when there is none
     */
    record View(
            String mode,
            SortedSet<String> live,
            SortedSet<String> members,
            boolean frozen,
            boolean rebalancing,
            SortedMap<String, VbucketSet> planned,
            SortedMap<String, VbucketSet> before,
            @Nullable Change change) {}

    private final Topology topology;

    TopologyController(Topology topology) {
        this.topology = topology;
    }

    @GetMapping
    @Operation(summary = "Get the nodes, their shares of the vbuckets, and the running or last change")
    View get() {
        ClusterView view = topology.view();
        Versioned<Layout> layout = view.layout();
        Versioned<Change> change = view.change();
        SortedMap<String, VbucketSet> settled = layout == null
                ? new TreeMap<>()
                : layout.value().plan(Planner.DEFAULT).shares();
        Change running = change != null && change.value().running() ? change.value() : null;
        return new View(
                topology.automatic() ? "auto" : "manual",
                view.live(),
                layout == null ? new TreeSet<>() : layout.value().members(),
                layout != null && layout.value().frozen(),
                running != null,
                running == null ? settled : running.plan(Planner.DEFAULT).shares(),
                running == null ? new TreeMap<>() : settled,
                change == null ? null : change.value());
    }

    @PostMapping("/rebalance")
    @ResponseStatus(HttpStatus.ACCEPTED)
    @Operation(
            summary = "Share the vbuckets among other nodes",
            description =
                    "Nodes that are alive and not named are kept; members that are dead and not named are ejected.")
    @ApiResponse(responseCode = "202", description = "The change has begun; its task tells how far it is")
    @ApiResponse(responseCode = "409", description = "A change is going on, or the nodes cannot be had")
    Mono<Map<String, String>> rebalance(@RequestBody(required = false) @Nullable Wanted wanted) {
        ClusterView view = topology.view();
        TreeSet<String> keep = new TreeSet<>(view.live());
        TreeSet<String> eject = new TreeSet<>();
        Versioned<Layout> layout = view.layout();
        if (layout != null) {
            eject.addAll(layout.value().members());
        }
        eject.removeAll(keep);
        if (wanted != null && wanted.ejectNodes() != null) {
            eject.addAll(wanted.ejectNodes());
            keep.removeAll(wanted.ejectNodes());
        }
        if (wanted != null && wanted.keepNodes() != null) {
            keep.addAll(wanted.keepNodes());
            eject.removeIf(node -> wanted.keepNodes().contains(node)
                    && (wanted.ejectNodes() == null || !wanted.ejectNodes().contains(node)));
        }
        return topology.request(TopologyChange.Type.REBALANCE, keep, eject).map(id -> Map.of("id", id));
    }

    @PostMapping("/failover")
    @ResponseStatus(HttpStatus.ACCEPTED)
    @Operation(
            summary = "Take nodes out",
            description =
                    "`graceful` waits until they have given up their vbuckets. Otherwise they are not waited for; "
                            + "what they have is taken over when they give it up or their lease ends.")
    @ApiResponse(responseCode = "202", description = "The change has begun")
    @ApiResponse(responseCode = "409", description = "A change is going on, or nobody would be left")
    Mono<Map<String, String>> failover(@RequestBody Failed failed) {
        ClusterView view = topology.view();
        TreeSet<String> keep = new TreeSet<>(view.live());
        TreeSet<String> eject = new TreeSet<>();
        Versioned<Layout> layout = view.layout();
        if (layout != null) {
            eject.addAll(layout.value().members());
        }
        eject.removeAll(keep);
        List<String> named = failed.nodes() == null ? List.of() : failed.nodes();
        eject.addAll(named);
        keep.removeAll(named);
        var type =
                Boolean.TRUE.equals(failed.graceful()) ? TopologyChange.Type.REBALANCE : TopologyChange.Type.FAILOVER;
        return topology.request(type, keep, eject).map(id -> Map.of("id", id));
    }

    @GetMapping("/tasks")
    @Operation(summary = "GetTaskList: what is going on, with progress over all and by node")
    TaskList tasks() {
        return TaskList.of(topology.view());
    }

    @DeleteMapping("/tasks/{id}")
    @Operation(
            summary = "CancelTask: stop a change",
            description = "Nodes that were to come or to go stay part of the cluster; vbuckets stay where they are.")
    @ApiResponse(responseCode = "200", description = "It stops")
    @ApiResponse(responseCode = "409", description = "No such change is running")
    Mono<Map<String, String>> cancel(@PathVariable String id) {
        return topology.cancel(id).map(stopped -> Map.of("id", stopped));
    }
}
