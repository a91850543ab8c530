package io.millrace.eventing.http.node;

import io.millrace.eventing.applog.FunctionLogs;
import io.millrace.eventing.configuration.ConfigStore;
import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.http.Answers;
import io.millrace.eventing.http.Body;
import io.millrace.eventing.http.Requests;
import io.millrace.eventing.runtime.FunctionRuntime;
import io.millrace.eventing.topology.ServiceVersion;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/** Configuration, error codes and identity of the service. */
@RestController
@Tag(name = "service", description = "Configuration, logs and identity of the service")
class ServiceController {

    private final ConfigStore config;
    private final FunctionLogs logs;
    private final FunctionRuntime runtime;
    private final String nodeId;

    ServiceController(
            ConfigStore config,
            FunctionLogs logs,
            FunctionRuntime runtime,
            @Value("${millrace.node-id}") String nodeId) {
        this.config = config;
        this.logs = logs;
        this.runtime = runtime;
        this.nodeId = nodeId;
    }

    @GetMapping("/api/v1/config")
    @Operation(summary = "Configuration of the service")
    ObjectNode config() {
        return config.show();
    }

    @PostMapping("/api/v1/config")
    @Operation(summary = "Merge configuration")
    Mono<Map<String, Object>> changeConfig(Body body) {
        return Requests.work(() -> {
            config.change(body.json());
            return Answers.ok(Map.of("restart", false));
        });
    }

    @DeleteMapping("/api/v1/config")
    @Operation(summary = "Always refused: the configuration can be changed, not deleted")
    void deleteConfig() {
        throw FunctionsException.of(
                ErrorCode.ERR_INVALID_REQUEST,
                "The global configuration cannot be deleted. Change its options with POST.");
    }

    @GetMapping("/logFileLocation")
    @Operation(summary = "Directory of the function logs")
    Map<String, String> logFileLocation() {
        return Map.of("log_dir", logs.directory().toString());
    }

    @GetMapping("/getErrorCodes")
    @Operation(summary = "All errors of this API")
    Map<String, Object> errorCodes() {
        List<Map<String, Object>> errors = Stream.of(ErrorCode.values())
                .map(code -> Answers.error(code, code.meaning()))
                .toList();
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("header_key", Answers.STATUS_HEADER);
        answer.put("version", 1);
        answer.put("revision", 1);
        answer.put("errors", errors);
        return answer;
    }

    @GetMapping(value = "/uuid", produces = MediaType.TEXT_PLAIN_VALUE)
    @Operation(summary = "The id of this node")
    String uuid() {
        return nodeId;
    }

    @GetMapping(value = "/version", produces = MediaType.TEXT_PLAIN_VALUE)
    @Operation(summary = "The version of this service")
    String version() {
        return ServiceVersion.text();
    }

    @GetMapping("/getCpuCount")
    @Operation(summary = "Number of processors that this service may use")
    int cpuCount() {
        return Runtime.getRuntime().availableProcessors();
    }

    @GetMapping("/getWorkerCount")
    @Operation(summary = "Number of worker processes on this node")
    Mono<Long> workerCount() {
        return Flux.fromIterable(runtime.running())
                .flatMap(name -> Mono.fromFuture(() -> runtime.stats(name)))
                .map(stats -> stats.map(known -> (long) known.workers().size()).orElse(0L))
                .reduce(0L, Long::sum);
    }
}
