package io.millrace.eventing.http.functions;

import static io.millrace.eventing.http.Requests.get;

import io.millrace.documents.DocumentStore;
import io.millrace.eventing.deadletter.DeadLetterStore;
import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.functions.FunctionLetters;
import io.millrace.eventing.http.Asker;
import io.millrace.eventing.http.Body;
import io.millrace.eventing.http.Requests;
import io.millrace.eventing.runtime.FunctionRuntime;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.workerprotocol.Event;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Shows what a function would do. */
@RestController
@RequestMapping("/api/v1/functions/{name}/dry-run")
@Tag(name = "functions")
class DryRunController {

    private static final Set<String> MEMBERS = Set.of(
            "code",
            "definition",
            "version",
            "compare",
            "document",
            "event",
            "letter",
            "change",
            "last",
            "responses",
            "rows",
            "sql",
            "secrets");
    private static final List<String> SUBJECTS = List.of("document", "event", "letter", "change", "last");

    private final TriedCode tried;
    private final DryRunDocuments documents;
    private final FunctionRuntime runtime;

    DryRunController(FunctionLetters functions, DocumentStore store, DeadLetterStore letters, FunctionRuntime runtime) {
        this.tried = new TriedCode(functions);
        this.documents = new DryRunDocuments(store, letters);
        this.runtime = runtime;
    }

    @PostMapping
    @Operation(summary = "Show what a function would do with changes; nothing takes effect")
    Mono<ObjectNode> run(FunctionName name, Body body, Asker asker) {
        return Requests.work(() -> {
            JsonNode request = body.json();
            check(request);
            FunctionSpec spec = tried.of(name, request, request.path("secrets"), asker.subject());
            List<Event> changes = documents.of(spec, request);
            byte[] answers = request.toString().getBytes(StandardCharsets.UTF_8);
            List<ObjectNode> shown = shown(spec, changes, answers);
            ObjectNode response = JsonNodeFactory.instance.objectNode().put("changes", changes.size());
            if (!request.has("compare")) {
                response.putArray("invocations").addAll(shown);
                return response;
            }
            List<ObjectNode> others = shown(
                    tried.compared(name, request.path("compare"), request.path("secrets"), asker.subject()),
                    changes,
                    answers);
            return response.setAll(differences(shown, others));
        });
    }

    private static void check(JsonNode request) {
        for (String member : request.propertyNames()) {
            if (!MEMBERS.contains(member)) {
                throw FunctionsException.of(
                        ErrorCode.ERR_INVALID_REQUEST,
                        "A dry run has no member '%s'; it can have %s."
                                .formatted(
                                        member,
                                        String.join(
                                                ", ", MEMBERS.stream().sorted().toList())));
            }
        }
        if (SUBJECTS.stream().filter(request::has).count() != 1) {
            throw FunctionsException.of(
                    ErrorCode.ERR_INVALID_REQUEST,
                    "A dry run needs one of document, event, letter, change and last: what the function is to handle.");
        }
    }

    private List<ObjectNode> shown(FunctionSpec spec, List<Event> changes, byte[] answers) throws Exception {
        return changes.isEmpty()
                ? List.of()
                : get(runtime.dryRun(spec, changes, answers)).stream()
                        .map(json -> (ObjectNode) JsonMapper.shared().readTree(json))
                        .toList();
    }

    /** Time and memory are never the same. */
    private static ObjectNode differences(List<ObjectNode> shown, List<ObjectNode> others) {
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        ArrayNode differences = result.putArray("differences");
        for (int i = 0; i < shown.size(); i++) {
            if (!effects(shown.get(i)).equals(effects(others.get(i)))) {
                ObjectNode difference = differences.addObject();
                difference.set("id", shown.get(i).path("id"));
                if (shown.get(i).has("index")) {
                    difference.set("index", shown.get(i).path("index"));
                }
                difference.set("invocation", shown.get(i));
                difference.set("compared", others.get(i));
            }
        }
        return result;
    }

    private static ObjectNode effects(ObjectNode invocation) {
        ObjectNode compared = invocation.deepCopy();
        compared.remove(List.of("micros", "allocated_bytes", "line", "column", "stack"));
        return compared;
    }
}
