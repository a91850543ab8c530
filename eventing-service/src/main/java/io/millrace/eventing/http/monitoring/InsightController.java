package io.millrace.eventing.http.monitoring;

import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.functions.Definitions;
import io.millrace.eventing.functions.Status;
import io.millrace.eventing.http.Requests;
import io.millrace.eventing.http.peers.Peers;
import io.millrace.eventing.runtime.FunctionRuntime;
import io.millrace.workerprotocol.LineInsight;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/** Calls, times, errors and logs by line of a function's code. */
@RestController
@Tag(name = "statistics")
class InsightController {

    private final Status status;
    private final Definitions definitions;
    private final FunctionRuntime runtime;
    private final Peers peers;

    InsightController(Status status, Definitions definitions, FunctionRuntime runtime, Peers peers) {
        this.status = status;
        this.definitions = definitions;
        this.runtime = runtime;
        this.peers = peers;
    }

    @GetMapping("/getInsight")
    @Operation(
            summary = "Calls, times, errors and newest log by line of the code of a function",
            description =
                    "Without a name, of every function. Line numbers refer to script. With udmark=true, user data is marked with <ud> and </ud>. The"
                            + " sum over all nodes, or with aggregate=false of this node; missing_nodes lists nodes that did"
                            + " not answer in time.")
    Mono<Map<String, Object>> insight(
            @RequestParam(required = false) @Nullable String name,
            @RequestParam(required = false) @Nullable String bucket,
            @RequestParam(required = false) @Nullable String scope,
            @RequestParam(required = false) @Nullable String udmark,
            @RequestParam(required = false) @Nullable String aggregate) {
        boolean marked = Boolean.TRUE.equals(Requests.flag("udmark", udmark));
        if (name == null || name.isEmpty()) {
            return Flux.fromIterable(status.summaries())
                    .concatMap(function -> insight(function.name(), marked, aggregate))
                    .collect(TreeMap::new, Map::putAll);
        }
        return insight(FunctionName.of(bucket, scope, name), marked, aggregate);
    }

    private Mono<Map<String, Object>> insight(FunctionName wanted, boolean marked, @Nullable String aggregate) {
        Mono<List<Peers.Reply>> others = Peers.wanted(aggregate)
                ? peers.ask(HttpMethod.GET, "/getInsight", wanted, Map.of("name", wanted.name()))
                : Mono.just(List.of());
        return Requests.work(() -> status.summary(wanted).name())
                .zipWhen(function -> others)
                .flatMap(both -> Requests.work(() -> insight(both.getT1(), both.getT2(), marked)));
    }

    private Map<String, Object> insight(FunctionName function, List<Peers.Reply> others, boolean marked) {
        SortedMap<Integer, LineInsight> lines = new TreeMap<>();
        runtime.insight(function.toString()).forEach(line -> lines.merge(line.line(), line, LineInsight::plus));
        for (Peers.Reply reply : others) {
            reply.json()
                    .path(function.name())
                    .path("lines")
                    .properties()
                    .forEach(entry -> lines.merge(
                            Integer.valueOf(entry.getKey()),
                            read(Integer.parseInt(entry.getKey()), entry.getValue()),
                            LineInsight::plus));
        }
        Map<String, Object> shown = new LinkedHashMap<>();
        lines.forEach((number, line) -> shown.put(number.toString(), shown(line, marked)));
        Map<String, Object> insight = new LinkedHashMap<>();
        insight.put("script", definitions.code(function));
        insight.put("version", definitions.version(function).number());
        insight.put("lines", shown);
        List<String> missing = Peers.Reply.missing(others);
        if (!missing.isEmpty()) {
            insight.put("missing_nodes", missing);
        }
        return Map.of(function.name(), insight);
    }

    private static LineInsight read(int line, JsonNode shown) {
        return new LineInsight(
                line,
                shown.path("call_count").asLong(),
                shown.path("call_time").asLong(),
                shown.path("error_count").asLong(),
                shown.path("error_msg").asString(""),
                shown.path("last_log").asString(""),
                shown.path("last_trace").asString(""));
    }

    private static Map<String, Object> shown(LineInsight line, boolean marked) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("call_count", line.calls());
        shown.put("call_time", line.micros());
        shown.put("error_count", line.errors());
        shown.put("error_msg", text(line.lastError(), marked));
        shown.put("last_log", text(line.lastLog(), marked));
        shown.put("last_trace", line.lastTrace());
        return shown;
    }

    private static String text(String text, boolean marked) {
        return marked && !text.isEmpty() ? "<ud>" + text + "</ud>" : text;
    }
}
