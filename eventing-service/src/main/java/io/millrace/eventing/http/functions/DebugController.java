package io.millrace.eventing.http.functions;

import io.millrace.documents.DocumentStore;
import io.millrace.eventing.configuration.ConfigStore;
import io.millrace.eventing.deadletter.DeadLetterStore;
import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.definition.ServiceOption;
import io.millrace.eventing.functions.FunctionLetters;
import io.millrace.eventing.http.Answers;
import io.millrace.eventing.http.Asker;
import io.millrace.eventing.http.Body;
import io.millrace.eventing.http.Requests;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.problemdetails.Problem;
import io.millrace.problemdetails.ProblemException;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Debuggers of functions: a copy of an event, in a process of its own, followed by a client of the DevTools protocol. */
@RestController
@Tag(name = "functions")
class DebugController {

    private static final String DEBUG = "/api/v1/functions/{name}/debug";
    private static final List<String> SUBJECTS = List.of("document", "event", "letter", "change", "next");
    private static final Set<String> OPTIONS =
            Set.of("code", "definition", "version", "minutes", "responses", "rows", "sql", "secrets");

    private final FunctionLetters functions;
    private final TriedCode tried;
    private final DocumentStore store;
    private final DryRunDocuments documents;
    private final DebugSessions sessions;
    private final ConfigStore config;

    DebugController(
            FunctionLetters functions,
            DocumentStore store,
            DeadLetterStore letters,
            DebugSessions sessions,
            ConfigStore config) {
        this.functions = functions;
        this.tried = new TriedCode(functions);
        this.store = store;
        this.documents = new DryRunDocuments(store, letters);
        this.sessions = sessions;
        this.config = config;
    }

    @PostMapping(DEBUG)
    @Operation(summary = "Debug a function on a copy of a change; nothing takes effect")
    Mono<ObjectNode> start(FunctionName name, Body body, Asker asker) {
        return Requests.work(() -> {
            JsonNode request = body.json();
            check(request);
            return start(name, tried.of(name, request, request.path("secrets"), asker.subject()), request)
                    .describe();
        });
    }

    @GetMapping(DEBUG)
    @Operation(summary = "The state of the last debugger of a function on this node")
    Mono<ObjectNode> state(FunctionName name) {
        return Requests.work(() -> found(name).describe());
    }

    @DeleteMapping(DEBUG)
    @Operation(summary = "End the debugger of a function")
    Mono<Map<String, Object>> end(FunctionName name) {
        return Requests.work(() -> {
            found(name).close();
            return Answers.ok("Function: %s stopped debugger".formatted(name));
        });
    }

    private DebugSession found(FunctionName name) {
        return sessions.find(name)
                .orElseThrow(() -> ProblemException.of(Problem.of(
                                HttpStatus.NOT_FOUND,
                                "debugger_not_found",
                                "This node has no debugger of the function %s.".formatted(name))
                        .withAction(
                                "Start one with POST on the same path. With several nodes, send requests about it to the"
                                        + " node that answered the POST.")));
    }

    @PostMapping({"/startDebugger", "/startDebugger/"})
    @Operation(summary = "Debug a function on a copy of its next change")
    Mono<Map<String, Object>> startForNext(
            @RequestParam String name,
            @RequestParam(required = false) @Nullable String bucket,
            @RequestParam(required = false) @Nullable String scope,
            Asker asker) {
        return Requests.work(() -> {
            FunctionName function = enabled(bucket, scope, name);
            ObjectNode request = JsonNodeFactory.instance.objectNode().put("next", true);
            start(function, functions.saved(function, asker.subject()), request);
            return Answers.ok("Function: %s started debugger".formatted(function));
        });
    }

    @GetMapping(
            value = {"/getDebuggerUrl", "/getDebuggerUrl/"},
            produces = MediaType.TEXT_PLAIN_VALUE)
    @Operation(summary = "The address of the debugger of a function in Chrome DevTools, empty if there is none")
    Mono<String> url(
            @RequestParam String name,
            @RequestParam(required = false) @Nullable String bucket,
            @RequestParam(required = false) @Nullable String scope) {
        return Requests.work(() -> sessions.find(enabled(bucket, scope, name))
                .filter(session -> !session.isClosed())
                .map(session -> session.describe().path("devtools").asString())
                .orElse(""));
    }

    @PostMapping({"/stopDebugger", "/stopDebugger/"})
    @Operation(summary = "End the debugger of a function")
    Mono<Map<String, Object>> stop(
            @RequestParam String name,
            @RequestParam(required = false) @Nullable String bucket,
            @RequestParam(required = false) @Nullable String scope) {
        return Requests.work(() -> {
            FunctionName function = enabled(bucket, scope, name);
            sessions.stop(function);
            return Answers.ok("Function: %s stopped debugger".formatted(function));
        });
    }

    private FunctionName enabled(@Nullable String bucket, @Nullable String scope, String name) {
        FunctionName function = FunctionName.of(bucket, scope, name);
        functions.group(function); // fails for an unknown name
        if (!config.current().flag(ServiceOption.ENABLE_DEBUGGER)) {
            throw FunctionsException.of(
                    ErrorCode.ERR_DEBUGGER_DISABLED,
                    "Set enable_debugger with POST /api/v1/config, or use POST /api/v1/functions/{name}/debug.");
        }
        return function;
    }

    private static void check(JsonNode request) {
        for (String member : request.propertyNames()) {
            if (!SUBJECTS.contains(member) && !OPTIONS.contains(member)) {
                throw FunctionsException.of(
                        ErrorCode.ERR_INVALID_REQUEST,
                        "A debugger has no member '%s'; it can have %s, and %s."
                                .formatted(
                                        member,
                                        String.join(", ", SUBJECTS),
                                        String.join(
                                                ", ", OPTIONS.stream().sorted().toList())));
            }
        }
        if (SUBJECTS.stream().filter(request::has).count() != 1) {
            throw FunctionsException.of(
                    ErrorCode.ERR_INVALID_REQUEST,
                    "A debugger needs one of document, event, letter, change and next: what the function is to handle.");
        }
    }

    private DebugSession start(FunctionName name, FunctionSpec spec, JsonNode request) throws Exception {
        int minutes = request.path("minutes").asInt(DebugSessions.DEFAULT_MINUTES);
        if (minutes < 1 || minutes > DebugSessions.MAX_MINUTES) {
            throw FunctionsException.of(
                    ErrorCode.ERR_INVALID_REQUEST,
                    "minutes must be a number from 1 to %d.".formatted(DebugSessions.MAX_MINUTES));
        }
        Duration limit = Duration.ofMinutes(minutes);
        byte[] answers = request.toString().getBytes(StandardCharsets.UTF_8);
        return request.has("next")
                ? sessions.startWithNext(name, spec, () -> NextChange.of(spec, store), answers, limit)
                : sessions.start(name, spec, documents.of(spec, request).getFirst(), answers, limit);
    }
}
