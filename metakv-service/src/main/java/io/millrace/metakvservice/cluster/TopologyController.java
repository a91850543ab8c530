package io.millrace.metakvservice.cluster;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import io.millrace.metakv.MetakvException;
import io.millrace.rebalance.Layout;
import io.millrace.rebalance.Planner;
import io.millrace.rebalance.VbucketSet;
import io.millrace.rebalance.topology.Change;
import io.millrace.rebalance.topology.ClusterView;
import io.millrace.rebalance.topology.TaskList;
import io.millrace.rebalance.topology.TopologyChange;
import io.millrace.rebalance.topology.Versioned;
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

    /**
     * The nodes that a person wants.
     *
     * @param others fields that nobody knows; a misspelt list must not begin another change than was meant
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
     * The cluster as people see it.
     *
     * @param planned by node, the vbuckets that it should have of each function
     * @param before the same as it was before the running change; empty when there is none
     * @param out nodes that people took out though they are alive; a rebalance that begins by itself leaves them out
     */
    record View(
            String mode,
            SortedSet<String> live,
            SortedSet<String> members,
            SortedSet<String> out,
            boolean frozen,
            boolean rebalancing,
            SortedMap<String, VbucketSet> planned,
            SortedMap<String, VbucketSet> before,
            @Nullable Change change) {}

    private final TopologyManager topology;

    TopologyController(TopologyManager topology) {
        this.topology = topology;
    }

    @GetMapping
    @Operation(summary = "Get the nodes, their shares of the vbuckets, and the running or last change")
    Mono<View> get() {
        return topology.current().map(this::shown);
    }

    private View shown(ClusterView view) {
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
            summary = "Share the vbuckets among other nodes",
            description =
                    "Nodes that are alive and not named are kept; members that are dead and not named are ejected.")
    @ApiResponse(responseCode = "202", description = "The change has begun; its task tells how far it is")
    @ApiResponse(responseCode = "400", description = "The body is not valid")
    @ApiResponse(responseCode = "409", description = "A change is going on, or the nodes cannot be had")
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
            summary = "Take nodes out",
            description =
                    "`graceful` waits until they have given up their vbuckets. Otherwise they are not waited for; "
                            + "what they have is taken over when they give it up or their lease ends. "
                            + "They stay out until people ask for a rebalance that keeps them.")
    @ApiResponse(responseCode = "202", description = "The change has begun")
    @ApiResponse(responseCode = "400", description = "The body is not valid, or names nobody")
    @ApiResponse(responseCode = "409", description = "A change is going on, or nobody would be left")
    Mono<Map<String, String>> failover(@RequestBody Failed failed) {
        checkKnown(failed.others(), "nodes and graceful");
        SortedSet<String> named = names("nodes", failed.nodes());
        if (named.isEmpty()) {
            throw invalid("Name the nodes to take out: {\"nodes\": [\"id\"], \"graceful\": true}.");
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
                    throw invalid(field + " has ids of nodes; one of these is null or blank.");
                }
                names.add(name);
            }
        }
        return names;
    }

    private static void checkKnown(@Nullable Map<String, Object> others, String fields) {
        if (others != null && !others.isEmpty()) {
            throw invalid(
                    "There is no field " + String.join(", ", others.keySet()) + "; the fields are " + fields + ".");
        }
    }

    private static MetakvException invalid(String message) {
        return MetakvException.of(MetakvException.Code.INVALID_REQUEST, message);
    }

    @GetMapping("/tasks")
    @Operation(summary = "GetTaskList: what is going on, with progress over all and by node")
    Mono<TaskList> tasks() {
        return topology.current().map(TaskList::of);
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
