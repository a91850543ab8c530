package io.millrace.eventing.http;

import io.millrace.eventing.functions.Definitions;
import io.millrace.eventing.functions.ErrorCode;
import io.millrace.eventing.functions.FunctionName;
import io.millrace.eventing.functions.FunctionsException;
import io.millrace.eventing.functions.Status;
import io.millrace.eventing.producer.FunctionRuntime;
import io.millrace.workerlink.LineInsight;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** What happens on which line of a function's code. */
@RestController
@Tag(name = "statistics")
class InsightController {

    private final Status status;
    private final Definitions definitions;
    private final FunctionRuntime runtime;

    InsightController(Status status, Definitions definitions, FunctionRuntime runtime) {
        this.status = status;
        this.definitions = definitions;
        this.runtime = runtime;
    }

    @GetMapping("/getInsight")
    @Operation(
            summary = "Calls, times, errors and newest log line by line of a function's code, on this node",
            description = "Lines are those of script. With udmark=true what came from documents is put between <ud>"
                    + " and </ud>.")
    Mono<Map<String, Object>> insight(
            @RequestParam(required = false) @Nullable String name,
            @RequestParam(required = false) @Nullable String bucket,
            @RequestParam(required = false) @Nullable String scope,
            @RequestParam(required = false) @Nullable String udmark) {
        if (name == null || name.isEmpty()) {
            throw FunctionsException.of(
                    ErrorCode.ERR_INVALID_REQUEST, "The query needs the name of a function: name=…");
        }
        boolean marked = Boolean.TRUE.equals(Requests.flag("udmark", udmark));
        FunctionName wanted = FunctionName.of(bucket, scope, name);
        return Requests.work(() -> {
            FunctionName function = status.summary(wanted).name();
            Map<String, Object> lines = new LinkedHashMap<>();
            for (LineInsight line : runtime.insight(function.toString())) {
                lines.put(Integer.toString(line.line()), shown(line, marked));
            }
            Map<String, Object> insight = new LinkedHashMap<>();
            insight.put("script", definitions.code(function));
            insight.put("lines", lines);
            return Map.of(function.name(), insight);
        });
    }

    private static Map<String, Object> shown(LineInsight line, boolean marked) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("call_count", line.calls());
        shown.put("call_time", line.micros());
        shown.put("error_count", line.errors());
        shown.put("error_msg", text(line.lastError(), marked));
        shown.put("last_log", text(line.lastLog(), marked));
        return shown;
    }

    private static String text(String text, boolean marked) {
        return marked && !text.isEmpty() ? "<ud>" + text + "</ud>" : text;
    }
}
