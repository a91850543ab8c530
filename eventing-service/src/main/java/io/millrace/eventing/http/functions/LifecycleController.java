package io.millrace.eventing.http.functions;

import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.functions.Definitions;
import io.millrace.eventing.functions.Lifecycle;
import io.millrace.eventing.http.Answers;
import io.millrace.eventing.http.Asker;
import io.millrace.eventing.http.Body;
import io.millrace.eventing.http.Requests;
import io.millrace.eventing.http.functions.Consequences.Stop;
import io.millrace.eventing.versions.Author;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/** Deploy, undeploy, pause, resume. The response confirms that the request is recorded; the status shows its progress. */
@RestController
@RequestMapping("/api/v1/functions/{name}")
@Tag(name = "lifecycle", description = "Deploy, undeploy, pause, resume")
class LifecycleController {

    private final Lifecycle lifecycle;
    private final Definitions definitions;

    LifecycleController(Lifecycle lifecycle, Definitions definitions) {
        this.lifecycle = lifecycle;
        this.definitions = definitions;
    }

    @PostMapping("/deploy")
    @Operation(
            summary =
                    "Deploy an undeployed function or resume a paused one; settings or a whole definition in the body are"
                            + " saved first, and a deployed function takes them")
    Mono<Map<String, Object>> deploy(FunctionName name, Body body, Author author) {
        return moved(name, List::of, () -> {
            JsonNode json = body.optionalJson();
            if (json == null) {
                return lifecycle.deploy(name);
            }
            return json.has("appcode") ? definitions.deploy(json, name, author) : lifecycle.deploy(name, json, author);
        });
    }

    @PostMapping("/undeploy")
    @Operation(summary = "Stop a function and discard its progress; warns of what that means for other functions")
    Mono<Map<String, Object>> undeploy(FunctionName name, Asker asker) {
        return moved(name, () -> warnings(Stop.UNDEPLOY, name, asker), () -> lifecycle.undeploy(name));
    }

    @PostMapping("/pause")
    @Operation(summary = "Stop a function and keep its progress; warns of what that means for other functions")
    Mono<Map<String, Object>> pause(FunctionName name, Asker asker) {
        return moved(name, () -> warnings(Stop.PAUSE, name, asker), () -> lifecycle.pause(name));
    }

    @PostMapping("/resume")
    @Operation(summary = "Continue where the function was paused")
    Mono<Map<String, Object>> resume(FunctionName name) {
        return moved(name, List::of, () -> lifecycle.resume(name));
    }

    private List<String> warnings(Stop stop, FunctionName name, Asker asker) {
        return Consequences.of(stop, name, definitions.neighbours(name, asker::reads));
    }

    private static Mono<Map<String, Object>> moved(
            FunctionName name, Supplier<List<String>> warnings, Callable<String> move) {
        return Requests.work(() -> {
            List<String> meant = warnings.get();
            return Answers.ok(Map.of("name", name.toString(), "composite_status", move.call()), meant);
        });
    }
}
