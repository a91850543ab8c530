package io.millrace.eventing.http.monitoring;

import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/** Parts of the statistics of one function, on the paths of earlier versions of Couchbase. */
@RestController
@Tag(name = "statistics")
class StatsPartController {

    private final StatsController stats;

    StatsPartController(StatsController stats) {
        this.stats = stats;
    }

    @GetMapping("/getExecutionStats")
    @Operation(summary = "The member execution_stats of the statistics of a function")
    Mono<JsonNode> execution(
            @RequestParam(required = false) @Nullable String name,
            @RequestParam(required = false) @Nullable String bucket,
            @RequestParam(required = false) @Nullable String scope) {
        return part(name, bucket, scope, "/execution_stats");
    }

    @GetMapping("/getFailureStats")
    @Operation(summary = "The member failure_stats of the statistics of a function")
    Mono<JsonNode> failures(
            @RequestParam(required = false) @Nullable String name,
            @RequestParam(required = false) @Nullable String bucket,
            @RequestParam(required = false) @Nullable String scope) {
        return part(name, bucket, scope, "/failure_stats");
    }

    @GetMapping("/getLatencyStats")
    @Operation(summary = "The histogram of the time that handlers take: invocations by microseconds")
    Mono<JsonNode> latency(
            @RequestParam(required = false) @Nullable String name,
            @RequestParam(required = false) @Nullable String bucket,
            @RequestParam(required = false) @Nullable String scope) {
        return part(name, bucket, scope, "/latency_stats");
    }

    @GetMapping("/getEventProcessingStats")
    @Operation(summary = "The member event_processing_stats of the statistics of a function")
    Mono<JsonNode> processing(
            @RequestParam(required = false) @Nullable String name,
            @RequestParam(required = false) @Nullable String bucket,
            @RequestParam(required = false) @Nullable String scope) {
        return part(name, bucket, scope, "/event_processing_stats");
    }

    @GetMapping("/getDcpEventsRemaining")
    @Operation(summary = "The number of changes that a function has not handled yet")
    Mono<JsonNode> remaining(
            @RequestParam(required = false) @Nullable String name,
            @RequestParam(required = false) @Nullable String bucket,
            @RequestParam(required = false) @Nullable String scope) {
        return part(name, bucket, scope, "/events_remaining/dcp_backlog");
    }

    @GetMapping("/getConsumerPids")
    @Operation(summary = "The processes of the workers of a function, by name of the worker")
    Mono<JsonNode> processes(
            @RequestParam(required = false) @Nullable String name,
            @RequestParam(required = false) @Nullable String bucket,
            @RequestParam(required = false) @Nullable String scope) {
        return part(name, bucket, scope, "/worker_pids");
    }

    private Mono<JsonNode> part(
            @Nullable String name, @Nullable String bucket, @Nullable String scope, String pointer) {
        if (name == null || name.isEmpty()) {
            throw FunctionsException.of(
                    ErrorCode.ERR_INVALID_REQUEST, "The query parameter name, the name of a function, is missing.");
        }
        return stats.one(FunctionName.of(bucket, scope, name), "full", null, null)
                .map(all -> all.at(pointer));
    }
}
