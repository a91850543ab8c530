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

    private static final String RECORD = "record";
    private static final String DEFINITION = "definition";
    private static final Set<String> MEMBERS = Set.of(
            "code",
            DEFINITION,
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
            "secrets",
            RECORD);
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
    @Operation(
            summary = "Show what a function would do with changes; nothing takes effect",
            description =
                    "With `record`, requests with GET and HEAD are sent, and statements of sql that read are run in transactions"
                            + " that are rolled back, when no answer is given for them. The response has their `answers`,"
                            + " which the next dry run takes as `responses` and `sql`.")
    Mono<ObjectNode> run(FunctionName name, Body body, Asker asker) {
        return Requests.work(() -> {
            JsonNode request = body.json();
            check(request);
            FunctionSpec spec = tried.of(name, request, request.path("secrets"), asker.subject());
            List<Event> changes = documents.of(spec, request);
            RecordedAnswers recorded = new RecordedAnswers();
            List<ObjectNode> shown = shown(spec, changes, request, recorded);
            ObjectNode response = JsonNodeFactory.instance.objectNode().put("changes", changes.size());
            if (request.has("compare")) {
                FunctionSpec other =
                        tried.compared(name, request.path("compare"), request.path("secrets"), asker.subject());
                List<ObjectNode> others = shown(other, changes, recorded.givenTo(request), recorded);
                response.setAll(differences(shown, others));
            } else {
                response.putArray("invocations").addAll(shown);
            }
            if (request.path(RECORD).asBoolean(false)) {
                response.set("answers", recorded.json());
            }
            return response;
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
        checkRecord(request);
    }

    /** The bindings of a draft may lead anywhere, and have no passwords: their answers would not be those of the function. */
    private static void checkRecord(JsonNode request) {
        JsonNode record = request.path(RECORD);
        if (!record.isMissingNode() && !record.isBoolean()) {
            throw FunctionsException.of(ErrorCode.ERR_INVALID_REQUEST, "record must be true or false.");
        }
        if (record.asBoolean(false)
                && (request.has(DEFINITION) || request.path("compare").has(DEFINITION))) {
            throw FunctionsException.of(
                    ErrorCode.ERR_INVALID_REQUEST,
                    "record sends requests with the bindings that are saved; leave out the definition, then give its answers"
                            + " to a dry run of the definition.");
        }
    }

    private List<ObjectNode> shown(FunctionSpec spec, List<Event> changes, JsonNode answers, RecordedAnswers recorded)
            throws Exception {
        if (changes.isEmpty()) {
            return List.of();
        }
        byte[] given = answers.toString().getBytes(StandardCharsets.UTF_8);
        List<ObjectNode> shown = get(runtime.dryRun(spec, changes, given)).stream()
                .map(json -> (ObjectNode) JsonMapper.shared().readTree(json))
                .toList();
        recorded.takeFrom(shown);
        return shown;
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
