package io.millrace.eventing.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.access.Subject;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Origin;
import io.millrace.documents.Write;
import io.millrace.eventing.checkpoint.CheckpointGroup;
import io.millrace.eventing.checkpoint.CheckpointStore;
import io.millrace.eventing.deadletter.DeadLetter;
import io.millrace.eventing.deadletter.DeadLetterStore;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.functions.FunctionLetters;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.rebalance.VbucketSet;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

class DebugWebTest extends WebTest {

    private static final String DEBUG = "/api/v1/functions/debugged/debug";

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String CODE = definition("any").path("appcode").asString();
    private static final String SECOND = "function OnUpdate(doc, meta) { log('second'); }";
    private static final String DRAFT = "function OnUpdate(doc, meta) { log('draft'); }";
    private static final byte[] BODY = "{}".getBytes(StandardCharsets.UTF_8);

    @Autowired
    DocumentStore documents;

    @Autowired
    DeadLetterStore letters;

    @Autowired
    CheckpointStore checkpoints;

    @Autowired
    FunctionLetters functions;

    private Keyspace source;

    @BeforeEach
    void createFunction() {
        create("debugged");
        source = saved("debugged").source().keyspace();
    }

    @Test
    void debuggerOfTheNextChange_waitsAndCanBeEnded() {
        create("waiting");
        String path = "/api/v1/functions/waiting/debug";
        assertThat(get(path).problem(404, "debugger_not_found").path("action").asString())
                .contains("answered the POST");
        delete(path).problem(404, "debugger_not_found");

        JsonNode started = post(path, "{\"next\": true, \"minutes\": 1}").json();

        assertThat(started.path("state").asString()).isEqualTo("waiting");
        assertThat(started.path("url").asString()).startsWith("ws://127.0.0.1:");
        assertThat(started.path("devtools").asString()).startsWith("devtools://");
        assertThat(get(path).json()).isEqualTo(started);
        assertThat(delete(path).status()).isEqualTo(200);
        assertThat(get(path).json().path("state").asString()).isEqualTo("ended");
    }

    @Test
    void debuggerOfTheNextChange_beginsWithTheFirstOneThatTheFunctionWouldHandle() {
        create("next");
        put("before");

        post("/api/v1/functions/next/debug", "{\"next\": true, \"minutes\": 1}").ok();
        documents
                .write(Write.upsert(new DocumentKey(source, "own"), BODY)
                        .withOrigin(new Origin(saved("next").instance(), 1)))
                .join();
        put("after");

        await().atMost(PATIENCE).until(() -> runtime.debugged().contains("after: " + CODE));
        assertThat(runtime.debugged()).noneMatch(one -> one.startsWith("before:") || one.startsWith("own:"));
    }

    @Test
    void codeIsThatOfADraftOrAVersion_andTheDocumentThatOfADeadLetter() {
        put("a");
        put("failed");
        post(
                        "/api/v1/functions/debugged",
                        definition("debugged").put("appcode", SECOND).toString())
                .ok();
        CheckpointGroup group = functions.group(FunctionName.of("debugged"));
        long epoch =
                checkpoints.claim(group, "a", VbucketSet.range(0, 9)).join().epoch();
        letters.bury(
                        group,
                        epoch,
                        new DeadLetter(
                                DeadLetter.name(1, 10),
                                "OnUpdate",
                                5,
                                null,
                                new DeadLetter.Change("_default", "_default", "failed", 1, 10, 10),
                                new DeadLetter.Failure("threw", "Error: no", 3, 7, "Error: no at f:3:7"),
                                new DeadLetter.Attempts(4, 1000, 5000),
                                new DeadLetter.Content(7, "{}")),
                        100)
                .join();

        post(DEBUG, "{\"document\": {\"id\": \"a\"}}");
        post(DEBUG, "{\"document\": {\"id\": \"a\"}, \"version\": 1}");
        post(DEBUG, "{\"letter\": \"%s\", \"code\": \"%s\"}".formatted(DeadLetter.name(1, 10), DRAFT));

        assertThat(runtime.debugged()).containsSubsequence("a: " + SECOND, "a: " + CODE, "failed: " + DRAFT);
        assertThat(post(DEBUG, "{\"letter\": \"9-9\"}").text()).contains("no dead letter '9-9'");
    }

    private void put(String id) {
        documents.write(Write.upsert(new DocumentKey(source, id), BODY)).join();
    }

    private FunctionSpec saved(String function) {
        return functions.saved(FunctionName.of(function), Subject.open());
    }

    @Test
    void requests_areChecked() {
        assertThat(post(DEBUG, "{}").text()).contains("document, event, letter, change and next");
        assertThat(post(DEBUG, "{\"next\": true, \"letter\": \"1-1\"}").status())
                .isEqualTo(400);
        assertThat(post(DEBUG, "{\"next\": true, \"wait\": 1}").text()).contains("no member 'wait'");
        assertThat(post(DEBUG, "{\"next\": true, \"minutes\": 61}").text()).contains("1 to 60");
        assertThat(post("/api/v1/functions/none/debug", "{\"next\": true}").status())
                .isEqualTo(404);
    }

    @Test
    void pathsOfCouchbase_needTheOption() {
        get("/getDebuggerUrl/?name=debugged").error(400, "ERR_DEBUGGER_DISABLED", 45);
        post("/startDebugger/?name=debugged", "").error(400, "ERR_DEBUGGER_DISABLED", 45);
        post("/api/v1/config", "{\"enable_debugger\": true}").ok();
        try {
            post("/startDebugger/?name=debugged", "").ok();
            assertThat(get("/getDebuggerUrl/?name=debugged").text()).startsWith("devtools://");
            post("/stopDebugger/?name=debugged", "").ok();
            assertThat(get("/getDebuggerUrl/?name=debugged").text()).isEmpty();
        } finally {
            post("/api/v1/config", "{\"enable_debugger\": false}").ok();
        }
    }
}
