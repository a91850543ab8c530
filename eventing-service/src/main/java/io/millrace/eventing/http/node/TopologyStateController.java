package io.millrace.eventing.http.node;

import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.functions.RebalanceProgress;
import io.millrace.eventing.functions.Status;
import io.millrace.eventing.http.peers.Peers;
import io.millrace.eventing.runtime.FunctionRuntime;
import io.millrace.eventing.topology.ClusterNode;
import io.millrace.rebalance.Planner;
import io.millrace.rebalance.VbucketSet;
import io.millrace.rebalance.topology.TaskList;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Owners of vbuckets, and progress of rebalances. */
@RestController
@Tag(name = "topology", description = "Owners of vbuckets and progress of rebalances")
class TopologyStateController {

    private final ClusterNode cluster;
    private final RebalanceProgress progress;
    private final FunctionRuntime runtime;
    private final Status status;
    private final Peers peers;

    TopologyStateController(
            ClusterNode cluster, RebalanceProgress progress, FunctionRuntime runtime, Status status, Peers peers) {
        this.cluster = cluster;
        this.progress = progress;
        this.runtime = runtime;
        this.status = status;
        this.peers = peers;
    }

    /**
     * The owners of a function's vbuckets.
     *
     * @param owned the owned vbuckets by node
     * @param unsettled vbuckets whose planned owner does not own them
     * @param ownerless vbuckets without a live owner: their changes are not handled
     */
    record Owners(SortedMap<String, VbucketSet> owned, VbucketSet unsettled, VbucketSet ownerless) {}

    @GetMapping("/getOwnershipMap")
    @Operation(
            summary = "Planned vbuckets by node, and the owned ones of each function",
            description = "`unsettled`: not owned by their planned owner; `ownerless`: without a live owner.")
    Mono<Map<String, Object>> ownershipMap() {
        SortedMap<String, VbucketSet> planned = cluster.plan(cluster.layout()).shares();
        return Flux.fromIterable(progress.shares().keySet())
                .flatMap(name -> Mono.fromFuture(() -> runtime.owners(name))
                        .flatMap(Mono::justOrEmpty)
                        .map(owned -> Map.entry(name, owners(planned, owned))))
                .collectMap(Map.Entry::getKey, Map.Entry::getValue, TreeMap::new)
                .map(functions -> {
                    Map<String, Object> answer = new LinkedHashMap<>();
                    answer.put("layout", cluster.layout().id());
                    answer.put("frozen", cluster.layout().frozen());
                    answer.put("planned", planned);
                    answer.put("functions", functions);
                    return answer;
                });
    }

    private Owners owners(SortedMap<String, VbucketSet> planned, SortedMap<String, VbucketSet> owned) {
        VbucketSet unsettled = VbucketSet.NONE;
        for (Map.Entry<String, VbucketSet> share : planned.entrySet()) {
            VbucketSet there = owned.getOrDefault(share.getKey(), VbucketSet.NONE);
            unsettled = unsettled.plus(share.getValue().minus(there));
        }
        VbucketSet ownerless = VbucketSet.range(0, Planner.DEFAULT.vbuckets() - 1);
        for (Map.Entry<String, VbucketSet> share : owned.entrySet()) {
            String node = share.getKey();
            if (node.equals(cluster.id()) || cluster.nodes().containsKey(node)) {
                ownerless = ownerless.minus(share.getValue());
            }
        }
        return new Owners(owned, unsettled, ownerless);
    }

    @GetMapping("/getOwnedVbsForApp")
    @Operation(summary = "Vbuckets of a function on this node, by worker")
    Mono<Map<String, VbucketSet>> owned(
            @RequestParam String name,
            @RequestParam(required = false) @Nullable String bucket,
            @RequestParam(required = false) @Nullable String scope) {
        FunctionName function = FunctionName.of(bucket, scope, name);
        String running = status.summary(function).name().toString();
        return Mono.fromFuture(() -> runtime.stats(running)).map(stats -> {
            Map<String, VbucketSet> byWorker = new TreeMap<>();
            stats.ifPresent(known -> known.workers().forEach(worker -> byWorker.put(worker.name(), worker.vbuckets())));
            return byWorker;
        });
    }

    @GetMapping("/getAggOwnedVbsForApp")
    @Operation(
            summary = "Vbuckets of a function on all nodes, by node and worker",
            description = "`missing_nodes` names the nodes that did not answer in time.")
    Mono<Map<String, Object>> ownedEverywhere(
            @RequestParam String name,
            @RequestParam(required = false) @Nullable String bucket,
            @RequestParam(required = false) @Nullable String scope) {
        FunctionName function = FunctionName.of(bucket, scope, name);
        return Mono.zip(
                owned(name, bucket, scope),
                peers.ask(HttpMethod.GET, "/getOwnedVbsForApp", function, Map.of("name", name)),
                (here, replies) -> {
                    Map<String, Object> nodes = new TreeMap<>();
                    nodes.put(cluster.id(), here);
                    Peers.Reply.answered(replies).forEach(reply -> nodes.put(reply.node(), reply.json()));
                    return Map.of("nodes", nodes, "missing_nodes", Peers.Reply.missing(replies));
                });
    }

    @GetMapping("/getRebalanceProgress")
    @Operation(summary = "Vbuckets that this node has yet to take over or give up, by function")
    Map<String, Map<String, Object>> rebalanceProgress() {
        Map<String, Map<String, Object>> answer = new TreeMap<>();
        progress.shares().forEach((name, share) -> {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("close_stream_vbs_len", share.surplus());
            json.put("stream_req_vbs_len", share.missing().size());
            json.put("vbs_owned_per_plan", share.planned().size());
            json.put("vbs_remaining_to_shuffle", share.unsettled());
            json.put("vbs_waiting_for", share.missing());
            answer.put(name, json);
        });
        return answer;
    }

    @GetMapping("/getAggRebalanceProgress")
    @Operation(summary = "Tasks of the running rebalance on all nodes")
    TaskList aggregatedProgress() {
        return TaskList.of(progress.cluster());
    }

    @GetMapping(value = "/getAggRebalanceStatus", produces = MediaType.TEXT_PLAIN_VALUE)
    @Operation(summary = "Whether a rebalance or failover is running: true or false")
    String aggregatedStatus() {
        return Boolean.toString(progress.cluster().rebalancing());
    }
}
