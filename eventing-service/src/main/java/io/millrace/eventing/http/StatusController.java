package io.millrace.eventing.http;

import io.millrace.eventing.functions.ErrorCode;
import io.millrace.eventing.functions.FunctionName;
import io.millrace.eventing.functions.FunctionsException;
import io.millrace.eventing.functions.Status;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.node.ObjectNode;

/** In which states functions are. Answered from memory on the event loop: cheap enough to be asked all the time. */
@RestController
@Tag(name = "status", description = "States of functions")
class StatusController {

    private final Status status;

    StatusController(Status status) {
        this.status = status;
    }

    @GetMapping("/api/v1/status")
    @Operation(summary = "States of all functions")
    ObjectNode all() {
        return status.all();
    }

    @GetMapping("/api/v1/status/{name}")
    @Operation(summary = "State of one function, with the reason when it failed to deploy")
    ObjectNode one(FunctionName name) {
        return status.one(name);
    }

    @GetMapping("/api/v1/list/functions")
    @Operation(summary = "Names of functions, filtered")
    Map<String, List<String>> list(
            @RequestParam(name = "source_bucket", required = false) @Nullable String sourceBucket,
            @RequestParam(name = "source_scope", required = false) @Nullable String sourceScope,
            @RequestParam(name = "source_collection", required = false) @Nullable String sourceCollection,
            @RequestParam(name = "function_type", required = false) @Nullable String type,
            @RequestParam(required = false) @Nullable String deployed,
            @RequestParam(name = "curl_binding", required = false) @Nullable String curlBinding) {
        Status.Filter filter = new Status.Filter(
                sourceBucket,
                sourceScope,
                sourceCollection,
                Requests.flag("deployed", deployed),
                writesToSource(type),
                Requests.flag("curl_binding", curlBinding));
        return Map.of("functions", status.names(filter));
    }

    private static @Nullable Boolean writesToSource(@Nullable String type) {
        return switch (type) {
            case null -> null;
            case "sbm" -> Boolean.TRUE;
            case "notsbm" -> Boolean.FALSE;
            default ->
                throw FunctionsException.of(
                        ErrorCode.ERR_INVALID_REQUEST,
                        "function_type must be sbm or notsbm, not '%s'.".formatted(type));
        };
    }

    @GetMapping({"/getDeployedApps", "/getLocallyDeployedApps", "/getRunningApps"})
    @Operation(summary = "Deployed functions and since when")
    Map<String, String> deployed() {
        return status.inStatus(List.of("deployed"));
    }

    @GetMapping("/getBootstrappingApps")
    @Operation(summary = "Functions that are being deployed or resumed, and since when")
    Map<String, String> bootstrapping() {
        return status.inStatus(List.of("deploying", "resuming"));
    }

    @GetMapping("/getPausingApps")
    @Operation(summary = "Functions that are being paused, and since when")
    Map<String, String> pausing() {
        return status.inStatus(List.of("pausing"));
    }
}
