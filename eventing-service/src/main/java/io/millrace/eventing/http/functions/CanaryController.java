package io.millrace.eventing.http.functions;

import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.functions.Canaries;
import io.millrace.eventing.http.Body;
import io.millrace.eventing.http.Requests;
import io.millrace.eventing.http.peers.Peers;
import io.millrace.eventing.versions.Author;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The canary of a function: begin, compare, promote, roll back. */
@RestController
@RequestMapping("/api/v1/functions/{name}/canary")
@Tag(name = "versions")
class CanaryController {

    private static final List<String> SIDES = List.of("canary", "stable");

    private final Canaries canaries;
    private final Peers peers;

    CanaryController(Canaries canaries, Peers peers) {
        this.canaries = canaries;
        this.peers = peers;
    }

    @PostMapping
    @Operation(summary = "Let a version handle a share of the vbuckets of a deployed function")
    Mono<ObjectNode> start(FunctionName name, Body body, Author author) {
        return Requests.work(() -> canaries.start(name, body.json(), author));
    }

    @GetMapping
    @Operation(summary = "The canary of a function, or the last one, compared with the other version")
    Mono<ObjectNode> status(FunctionName name, @RequestParam(required = false) @Nullable String aggregate) {
        Mono<List<Peers.Reply>> others = Peers.wanted(aggregate)
                ? peers.ask(
                        HttpMethod.GET,
                        "/api/v1/functions/%s/canary".formatted(name.name()),
                        name,
                        Map.of("aggregate", "false"))
                : Mono.just(List.of());
        return Requests.work(() -> canaries.status(name)).zipWith(others, CanaryController::sum);
    }

    @PostMapping("/promote")
    @Operation(summary = "Let the canary handle all changes")
    Mono<ObjectNode> promote(FunctionName name, Author author) {
        return Requests.work(() -> canaries.promote(name, author));
    }

    @PostMapping("/rollback")
    @Operation(summary = "End the canary; the other version handles all changes again")
    Mono<ObjectNode> rollBack(FunctionName name, Author author) {
        return Requests.work(() -> canaries.rollBack(name, author));
    }

    private static ObjectNode sum(ObjectNode here, List<Peers.Reply> others) {
        for (Peers.Reply other : others) {
            for (String side : SIDES) {
                if (here.path(side) instanceof ObjectNode counted
                        && other.json().path(side) instanceof ObjectNode more) {
                    add(counted, more);
                }
            }
        }
        List<String> missing = Peers.Reply.missing(others);
        if (!missing.isEmpty()) {
            missing.forEach(here.putArray("missing_nodes")::add);
        }
        return here;
    }

    /** The greatest of the percentiles stands for all nodes. */
    private static void add(ObjectNode side, JsonNode more) {
        long before = side.path("handled").asLong();
        long other = more.path("handled").asLong();
        long handled = before + other;
        long failed = side.path("failed").asLong() + more.path("failed").asLong();
        long micros = before * side.path("mean_micros").asLong()
                + other * more.path("mean_micros").asLong();
        side.put("handled", handled)
                .put("failed", failed)
                .put("error_rate", handled == 0 ? 0 : (double) failed / handled)
                .put("mean_micros", handled == 0 ? 0 : micros / handled)
                .put(
                        "p99_micros",
                        Math.max(
                                side.path("p99_micros").asLong(),
                                more.path("p99_micros").asLong()));
        ObjectNode effects = side.withObjectProperty("effects");
        more.path("effects")
                .properties()
                .forEach(effect -> effects.put(
                        effect.getKey(),
                        effects.path(effect.getKey()).asLong()
                                + effect.getValue().asLong()));
    }
}
