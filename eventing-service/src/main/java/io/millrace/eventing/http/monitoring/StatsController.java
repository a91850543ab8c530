package io.millrace.eventing.http.monitoring;

import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.functions.Status;
import io.millrace.eventing.http.Answers;
import io.millrace.eventing.http.Requests;
import io.millrace.eventing.http.monitoring.StatsView.Detail;
import io.millrace.eventing.http.peers.Peers;
import io.millrace.eventing.runtime.FunctionRuntime;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Statistics of functions. */
@RestController
@Tag(name = "statistics", description = "Counters of functions")
class StatsController {

    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Map<String, String> FULL = Map.of("type", "full");

    private final Status status;
    private final FunctionRuntime runtime;
    private final StatsView view;
    private final FunctionMetrics metrics;
    private final Peers peers;

    StatsController(Status status, FunctionRuntime runtime, StatsView view, FunctionMetrics metrics, Peers peers) {
        this.status = status;
        this.runtime = runtime;
        this.view = view;
        this.metrics = metrics;
        this.peers = peers;
    }

    @GetMapping("/api/v1/stats")
    @Operation(
            summary = "Statistics of all functions that are not undeployed",
            description = "The sum over all nodes, or with aggregate=false the statistics of this node. missing_nodes"
                    + " lists nodes that did not answer in time.")
    Mono<List<ObjectNode>> all(
            @RequestParam(required = false) @Nullable String type,
            @RequestParam(required = false) @Nullable String debug,
            @RequestParam(required = false) @Nullable String aggregate) {
        Detail detail = detail(type, debug);
        boolean everywhere = Peers.wanted(aggregate);
        Mono<List<ObjectNode>> here = Flux.fromIterable(status.summaries())
                .filter(function -> !function.undeployed())
                .concatMap(function -> stats(function, everywhere ? detailToAdd(detail) : detail))
                .collectList();
        return everywhere
                ? here.zipWith(peers.askAll("/api/v1/stats", FULL))
                        .map(both -> added(both.getT1(), both.getT2(), detail))
                : here;
    }

    @GetMapping("/api/v1/stats/{name}")
    @Operation(
            summary = "Statistics of a function; zeros while it does not run",
            description = "The sum over all nodes, or with aggregate=false the statistics of this node. missing_nodes"
                    + " lists nodes that did not answer in time.")
    Mono<ObjectNode> one(
            FunctionName name,
            @RequestParam(required = false) @Nullable String type,
            @RequestParam(required = false) @Nullable String debug,
            @RequestParam(required = false) @Nullable String aggregate) {
        Detail detail = detail(type, debug);
        Status.Summary function = status.summary(name);
        if (!Peers.wanted(aggregate)) {
            return stats(function, detail);
        }
        return stats(function, detailToAdd(detail))
                .zipWith(peers.ask(HttpMethod.GET, "/api/v1/stats/" + name.name(), name, FULL))
                .map(both -> added(List.of(both.getT1()), both.getT2(), detail).getFirst());
    }

    /** Percentiles over several nodes are computed from their histograms. */
    private static Detail detailToAdd(Detail detail) {
        return detail == Detail.BASIC ? Detail.FULL : detail;
    }

    private static List<ObjectNode> added(List<ObjectNode> here, List<Peers.Reply> replies, Detail detail) {
        List<String> missing = Peers.Reply.missing(replies);
        for (ObjectNode sum : here) {
            for (Peers.Reply reply : replies) {
                JsonNode theirs = reply.json();
                for (JsonNode other : theirs.isArray() ? theirs : List.of(theirs)) {
                    if (sum.path("function_name").equals(other.path("function_name"))
                            && sum.path("function_scope").equals(other.path("function_scope"))) {
                        StatsSum.add(sum, reply.node(), other);
                    }
                }
            }
            if (detail == Detail.BASIC) {
                StatsSum.withoutHistograms(sum);
            }
            if (!missing.isEmpty()) {
                sum.set("missing_nodes", JsonNodeFactory.instance.arrayNode());
                missing.forEach(sum.withArray("missing_nodes")::add);
            }
        }
        return here;
    }

    private static Detail detail(@Nullable String type, @Nullable String debug) {
        boolean wantsDebug = Boolean.TRUE.equals(Requests.flag("debug", debug));
        return switch (type) {
            case null -> wantsDebug ? Detail.DEBUG : Detail.BASIC;
            case "" -> Detail.BASIC;
            case "full" -> wantsDebug ? Detail.DEBUG : Detail.FULL;
            case "debug" -> Detail.DEBUG;
            default ->
                throw FunctionsException.of(
                        ErrorCode.ERR_INVALID_REQUEST, "type must be full or debug, not '%s'.".formatted(type));
        };
    }

    private Mono<ObjectNode> stats(Status.Summary function, Detail detail) {
        StatsView.Subject subject = new StatsView.Subject(
                function.name().name(),
                function.handlerUuid(),
                function.name().bucket(),
                function.name().scope(),
                function.boundary());
        return Mono.fromFuture(() -> runtime.stats(function.name().toString()))
                .timeout(PATIENCE)
                .map(found -> found.map(stats -> view.show(subject, stats, detail))
                        .orElseGet(() -> view.idle(subject, detail)))
                .onErrorResume(unknown -> Mono.just(view.idle(subject, detail)));
    }

    @RequestMapping(
            path = "/resetStatsCounters",
            method = {RequestMethod.GET, RequestMethod.POST})
    @Operation(summary = "Reset the counters of one function, or of all, on every node")
    Mono<Map<String, Object>> reset(
            @RequestParam(required = false) @Nullable String appName,
            @RequestParam(required = false) @Nullable String bucket,
            @RequestParam(required = false) @Nullable String scope) {
        Map<String, Object> done = resetHere(appName, bucket, scope);
        Mono<List<Peers.Reply>> others = appName == null || appName.isEmpty()
                ? peers.askAll("/resetNodeStatsCounters", Map.of())
                : peers.ask(
                        HttpMethod.GET,
                        "/resetNodeStatsCounters",
                        FunctionName.of(bucket, scope, appName),
                        Map.of("appName", appName));
        return others.map(Peers.Reply::missing)
                .map(missing -> missing.isEmpty()
                        ? done
                        : Answers.ok("Done resetting counters", List.of("These nodes did not answer: " + missing)));
    }

    @RequestMapping(
            path = "/resetNodeStatsCounters",
            method = {RequestMethod.GET, RequestMethod.POST})
    @Operation(summary = "Reset the counters of one function, or of all, on this node")
    Map<String, Object> resetHere(
            @RequestParam(required = false) @Nullable String appName,
            @RequestParam(required = false) @Nullable String bucket,
            @RequestParam(required = false) @Nullable String scope) {
        if (appName == null || appName.isEmpty()) {
            runtime.running().forEach(runtime::resetStats);
        } else {
            FunctionName name = FunctionName.of(bucket, scope, appName);
            runtime.resetStats(status.summary(name).name().toString());
        }
        return Answers.ok("Done resetting counters");
    }

    @GetMapping(path = "/_prometheusMetrics", produces = MediaType.TEXT_PLAIN_VALUE)
    @Operation(summary = "Low-cardinality metrics of Couchbase's endpoint; /actuator/prometheus has all metrics")
    String prometheus() {
        return "eventing_worker_restart_count 0\n";
    }

    @GetMapping(path = "/_prometheusMetricsHigh", produces = MediaType.TEXT_PLAIN_VALUE)
    @Operation(summary = "Series that Couchbase dashboards read; /actuator/prometheus has all metrics")
    String prometheusHigh() {
        return metrics.dashboard();
    }
}
