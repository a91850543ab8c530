package io.millrace.metakvservice.cluster;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import io.millrace.metakv.MetakvException;
import io.millrace.rebalance.Layout;
import io.millrace.rebalance.Planner;
import io.millrace.rebalance.VbucketSet;
import io.millrace.rebalance.topology.Change;
import io.millrace.rebalance.topology.ClusterView;
import io.millrace.rebalance.topology.ClusterView.Versioned;
import io.millrace.rebalance.topology.TaskList;
import io.millrace.rebalance.topology.TopologyChange;
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

/** The topology of eventing nodes over HTTP. */
@RestController
@RequestMapping("/api/v1/topology")
@Tag(name = "Topology")
final class TopologyController {

    /**
     * The nodes of a requested rebalance.
     *
     * @param others unknown fields, which are refused: a misspelt list would start another change than requested
     */
    record Wanted(
            @Nullable List<@Nullable String> keepNodes,
            @Nullable List<@Nullable String> ejectNodes,
            @JsonAnySetter @Nullable Map<String, Object> others) {

        static final Wanted NOTHING = new Wanted(null, null, null);

        SortedSet<String> keep() {
            return names("keepNodes", keepNodes);
        }

        SortedSet<String> eject() {
            return names("ejectNodes", ejectNodes);
        }
    }

    /** NodeRegistry to fail over. */
    record Failed(
            @Nullable List<@Nullable String> nodes,
            @Nullable Boolean graceful,
            @JsonAnySetter @Nullable Map<String, Object> others) {}

    /**
     * The cluster in a response.
     *
     * @param planned by node, the vbuckets of each function that it should own
     * @param before the same before the running change; empty if no change is running
     * @param unreachable live nodes that took connections before and take none now; their leases may still run
     * @param out live nodes that a failover removed; an automatic rebalance does not add them again
     */
    record View(
            String mode,
            SortedSet<String> live,
            SortedSet<String> unreachable,
            SortedSet<String> members,
            SortedSet<String> out,
            boolean frozen,
            boolean rebalancing,
            SortedMap<String, VbucketSet> planned,
            SortedMap<String, VbucketSet> before,
            @Nullable Change change) {}

    private final TopologyManager topology;
    private final NodeReach reach;

    TopologyController(TopologyManager topology, NodeReach reach) {
        this.topology = topology;
        this.reach = reach;
    }

    @GetMapping
    @Operation(
            operationId = "getTopology",
            summary = "Get the nodes, their vbuckets, and the running or last change",
            description =
                    "`planned` has the vbuckets that each node should own in every function, `before` those that it"
                            + " had before the running change. `unreachable` has the live nodes that took connections"
                            + " before and take none now: their processes have probably ended, before their leases do.")
    Mono<View> get() {
        return topology.current()
                .flatMap(view -> reach.unreachable(topology.nodes()).map(unreachable -> shown(view, unreachable)));
    }

    private View shown(ClusterView view, SortedSet<String> unreachable) {
        Versioned<Layout> layout = view.layout();
        Versioned<Change> change = view.change();
        SortedMap<String, VbucketSet> settled = layout == null
                ? new TreeMap<>()
                : layout.value().plan(Planner.DEFAULT).shares();
        TreeSet<String> out = new TreeSet<>(view.out());
        out.removeAll(view.members());
        Change running = change != null && change.value().running() ? change.value() : null;
        return new View(
                topology.automatic() ? "auto" : "manual",
                view.live(),
                unreachable,
                view.members(),
                out,
                layout != null && layout.value().frozen(),
                running != null,
                running == null ? settled : running.plan(Planner.DEFAULT).shares(),
                running == null ? new TreeMap<>() : settled,
                change == null ? null : change.value());
    }

    @PostMapping("/rebalance")
    @ResponseStatus(HttpStatus.ACCEPTED)
    @Operation(
            summary = "Redistribute the vbuckets",
            description = "Live nodes that are not listed are kept; dead members that are not listed are ejected.")
    @ApiResponse(responseCode = "202", description = "The change has started; its task shows the progress")
    @ApiResponse(responseCode = "400", description = "The body is not valid")
    @ApiResponse(responseCode = "409", description = "A change is running, or a listed node is not available")
    Mono<Map<String, String>> rebalance(@RequestBody(required = false) @Nullable Wanted body) {
        Wanted wanted = body == null ? Wanted.NOTHING : body;
        checkKnown(wanted.others(), "keepNodes and ejectNodes");
        SortedSet<String> kept = wanted.keep();
        SortedSet<String> ejected = wanted.eject();
        return topology.request(TopologyChange.Type.REBALANCE, view -> {
                    TreeSet<String> keep = new TreeSet<>(view.live());
                    keep.removeAll(ejected);
                    keep.addAll(kept);
                    TreeSet<String> eject = dead(view);
                    eject.removeAll(kept);
                    eject.addAll(ejected);
                    return new TopologyManager.Wish(keep, eject);
                })
                .map(id -> Map.of("id", id));
    }

    @PostMapping("/failover")
    @ResponseStatus(HttpStatus.ACCEPTED)
    @Operation(
            summary = "Fail over nodes",
            description = "With `graceful`, the change waits until the nodes have given up their vbuckets. Otherwise "
                    + "their vbuckets are taken over when the nodes give them up or their leases end. "
                    + "The nodes stay out until a requested rebalance keeps them.")
    @ApiResponse(responseCode = "202", description = "The change has started")
    @ApiResponse(responseCode = "400", description = "The body is not valid, or lists no nodes")
    @ApiResponse(
            responseCode = "409",
            description = "A topology change is already in progress, or no node would remain")
    Mono<Map<String, String>> failover(@RequestBody Failed failed) {
        checkKnown(failed.others(), "nodes and graceful");
        SortedSet<String> named = names("nodes", failed.nodes());
        if (named.isEmpty()) {
            throw invalid(
                    "The list nodes is empty. List the nodes to fail over: {\"nodes\": [\"id\"], \"graceful\": true}.");
        }
        var type =
                Boolean.TRUE.equals(failed.graceful()) ? TopologyChange.Type.REBALANCE : TopologyChange.Type.FAILOVER;
        return topology.request(type, view -> {
                    TreeSet<String> eject = dead(view);
                    eject.addAll(view.out());
                    eject.retainAll(known(view));
                    eject.addAll(named);
                    TreeSet<String> keep = new TreeSet<>(view.live());
                    keep.removeAll(eject);
                    return new TopologyManager.Wish(keep, eject);
                })
                .map(id -> Map.of("id", id));
    }

    private static TreeSet<String> known(ClusterView view) {
        TreeSet<String> known = new TreeSet<>(view.live());
        known.addAll(view.members());
        return known;
    }

    private static TreeSet<String> dead(ClusterView view) {
        TreeSet<String> dead = known(view);
        dead.removeAll(view.live());
        return dead;
    }

    private static SortedSet<String> names(String field, @Nullable List<@Nullable String> list) {
        TreeSet<String> names = new TreeSet<>();
        if (list != null) {
            for (String name : list) {
                if (name == null || name.isBlank()) {
                    throw invalid("An id in " + field + " is null or blank.");
                }
                names.add(name);
            }
        }
        return names;
    }

    private static void checkKnown(@Nullable Map<String, Object> others, String fields) {
        if (others != null && !others.isEmpty()) {
            throw invalid("Unknown fields: " + String.join(", ", others.keySet()) + ". The fields are " + fields + ".");
        }
    }

    private static MetakvException invalid(String message) {
        return MetakvException.of(MetakvException.Code.INVALID_REQUEST, message);
    }

    @GetMapping("/tasks")
    @Operation(
            summary = "List the running tasks, with their progress in total and by node",
            description = "Empty unless a change is running or the latest one failed; a failed task says why.")
    Mono<TaskList> tasks() {
        return topology.current().map(TaskList::of);
    }

    @DeleteMapping("/tasks/{id}")
    @Operation(
            summary = "Cancel a change",
            description = "Nodes that were to join or leave stay members; vbuckets stay where they are.")
    @ApiResponse(responseCode = "200", description = "The change is being cancelled")
    @ApiResponse(responseCode = "409", description = "No change with this id is running")
    Mono<Map<String, String>> cancel(@PathVariable String id) {
        return topology.cancel(id).map(stopped -> Map.of("id", stopped));
    }
}
