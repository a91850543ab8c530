package io.millrace.eventing.http.monitoring;

import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.functions.Canaries;
import io.millrace.eventing.functions.Definitions;
import io.millrace.eventing.functions.Status;
import io.millrace.eventing.http.Requests;
import io.millrace.eventing.http.peers.Peers;
import io.millrace.eventing.runtime.CodeInsight;
import io.millrace.eventing.runtime.FunctionRuntime;
import io.millrace.eventing.versions.Staged;
import io.millrace.workerprotocol.LineInsight;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
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
    private final Canaries canaries;
    private final FunctionRuntime runtime;
    private final Peers peers;

    InsightController(Status status, Definitions definitions, Canaries canaries, FunctionRuntime runtime, Peers peers) {
        this.status = status;
        this.definitions = definitions;
        this.canaries = canaries;
        this.runtime = runtime;
        this.peers = peers;
    }

    @GetMapping("/getInsight")
    @Operation(
            summary = "Calls, times, errors and newest log by line of the code of a function",
            description =
                    "Without a name, of every function. Line numbers refer to script; what an earlier version did is not counted. canary is"
                            + " the same for the version that handles a share of the changes, while there is one. With udmark=true, user data"
                            + " is marked with <ud> and </ud>. The sum over all nodes, or with aggregate=false of this node; missing_nodes lists nodes that did"
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
        List<CodeInsight> here = runtime.insight(function.toString());
        long version = definitions.version(function).number();
        String script = definitions.code(function);
        Map<String, Object> insight = new LinkedHashMap<>();
        insight.put("script", script);
        insight.put("version", version);
        insight.put("lines", shown(sum(version, deployed(here, version, script), function, others), marked));
        canaries.running(function)
                .ifPresent(canary -> insight.put("canary", canary(canary, here, function, others, marked)));
        List<String> missing = Peers.Reply.missing(others);
        if (!missing.isEmpty()) {
            insight.put("missing_nodes", missing);
        }
        return Map.of(function.name(), insight);
    }

    private static Map<String, Object> canary(
            Staged canary, List<CodeInsight> here, FunctionName function, List<Peers.Reply> others, boolean marked) {
        long version = canary.version().number();
        Map<String, Object> insight = new LinkedHashMap<>();
        insight.put("script", canary.definition().code());
        insight.put("version", version);
        insight.put("lines", shown(sum(version, of(here, version), function, others), marked));
        return insight;
    }

    /**
     * Returns the lines of the deployed version. Workers do not get a version that differs in its description only, so what they
     * report has the number of the one before.
     */
    private static List<LineInsight> deployed(List<CodeInsight> here, long version, String script) {
        List<LineInsight> lines = of(here, version);
        boolean renumbered = lines.isEmpty()
                && !here.isEmpty()
                && here.getFirst().version() < version
                && here.getFirst().code().equals(script);
        return renumbered ? here.getFirst().lines() : lines;
    }

    private static List<LineInsight> of(List<CodeInsight> here, long version) {
        return here.stream()
                .filter(one -> one.version() == version)
                .findFirst()
                .map(CodeInsight::lines)
                .orElse(List.of());
    }

    /** Adds the lines of the same version that other nodes have counted. */
    private static SortedMap<Integer, LineInsight> sum(
            long version, List<LineInsight> here, FunctionName function, List<Peers.Reply> others) {
        SortedMap<Integer, LineInsight> lines = new TreeMap<>();
        here.forEach(line -> lines.put(line.line(), line));
        for (Peers.Reply reply : others) {
            JsonNode deployed = reply.json().path(function.name());
            Stream.of(deployed, deployed.path("canary"))
                    .filter(one -> one.path("version").asLong() == version)
                    .flatMap(one -> one.path("lines").properties().stream())
                    .map(entry -> read(Integer.parseInt(entry.getKey()), entry.getValue()))
                    .forEach(line -> lines.merge(line.line(), line, LineInsight::plus));
        }
        return lines;
    }

    private static Map<String, Object> shown(SortedMap<Integer, LineInsight> lines, boolean marked) {
        Map<String, Object> shown = new LinkedHashMap<>();
        lines.forEach((number, line) -> shown.put(number.toString(), shown(line, marked)));
        return shown;
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
