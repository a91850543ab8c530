package io.millrace.eventing.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.access.Role;
import io.millrace.access.Subject;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Origin;
import io.millrace.documents.SystemHandle;
import io.millrace.documents.Write;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.definition.SampleDefinitions;
import io.millrace.eventing.functions.FunctionLetters;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.HandlerSettings;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class DryRunWebTest extends WebTest {

    private static final FunctionName F = FunctionName.of("f");
    private static final String DRY_RUN = "/api/v1/functions/f/dry-run";

    @Autowired
    DocumentStore documents;

    @Autowired
    FunctionLetters functions;

    private Keyspace source;

    @BeforeEach
    void createFunction() {
        create("f");
        source = functions.saved(F, Subject.open()).source().keyspace();
        runtime.onDryRun((spec, changes) -> changes.stream()
                .map(change -> "{\"id\":\"%s\",\"result\":\"success\",\"micros\":%d,\"effects\":[{\"text\":\"%s\"}]}"
                        .formatted(
                                change.id(),
                                System.nanoTime(),
                                spec.code().contains("other") && change.id().equals("b") ? "other" : body(change)))
                .toList());
    }

    /** The runtime is that of other tests too. */
    @AfterEach
    void forgetTheAnswers() {
        runtime.onDryRun((spec, changes) -> List.of());
    }

    private static String body(Event change) {
        return change.kind() == Event.Kind.MUTATION
                ? new String(change.body(), StandardCharsets.UTF_8).replace("\"", "'")
                : "deleted";
    }

    private void put(String id, String body) {
        documents
                .write(Write.upsert(
                        new DocumentKey(Keyspace.of(source.bucket()), id), body.getBytes(StandardCharsets.UTF_8)))
                .join();
    }

    private List<String> texts(String request) {
        return post(DRY_RUN, request)
                .ok()
                .json()
                .path("invocations")
                .valueStream()
                .map(invocation -> invocation.at("/effects/0/text").asString())
                .toList();
    }

    /** A manager of functions could read with the rights of an administrator who owns one. */
    @Test
    void trial_hasTheRightsOfWhoAsks() {
        Subject manager = Subject.user("ann", Subject.Domain.LOCAL, Role.parseAll("eventing_manage_functions[*:*]"));

        assertThatThrownBy(() -> functions.saved(F, manager))
                .isInstanceOf(FunctionsException.class)
                .hasMessageContaining("The roles of ann do not grant");
        assertThatThrownBy(() -> functions.draft(F, "function OnUpdate(doc, meta) {}", manager))
                .isInstanceOf(FunctionsException.class)
                .hasMessageContaining("The roles of ann do not grant");
        Subject admin = Subject.user("root", Subject.Domain.LOCAL, Role.parseAll("admin"));
        assertThat(functions.saved(F, admin).handler().queryRoles()).containsExactly("admin");
    }

    @Test
    void draftOfADefinition_hasItsBindingsAndSettings_withoutTheirPasswords() {
        ObjectNode draft = SampleDefinitions.json("f");
        draft.withObject("settings").putObject("env").put("RATE", 7);
        ArrayNode urls = draft.withObject("depcfg").putArray("curl");
        urls.addObject()
                .put("hostname", "https://example.com")
                .put("value", "api")
                .put("auth_type", "basic")
                .put("username", "ann")
                .put("password", "open sesame");
        draft.withObject("depcfg")
                .putArray("topics")
                .addObject()
                .put("value", "paid")
                .put("kind", "cloudevents")
                .put("topic", "com.example.paid")
                .put("url", "api")
                .put("signing_secret", "another-function-s");
        List<FunctionSpec> tried = new CopyOnWriteArrayList<>();
        runtime.onDryRun((spec, changes) -> {
            tried.add(spec);
            return List.of();
        });

        post(DRY_RUN, request(draft)).ok();

        assertThat(tried).singleElement().satisfies(spec -> {
            assertThat(spec.handler().constants()).containsExactly(new HandlerSettings.Constant("RATE", "7"));
            assertThat(spec.handler().urls()).singleElement().satisfies(url -> {
                assertThat(url.name()).isEqualTo("api");
                assertThat(url.password()).isEmpty();
            });
            assertThat(spec.handler().topics())
                    .singleElement()
                    .satisfies(topic -> assertThat(topic.signingSecret()).isEmpty());
            assertThat(spec.instance())
                    .isEqualTo(functions.saved(F, Subject.open()).instance());
        });
        assertThat(get("/api/v1/functions/f").ok().json().at("/settings/env")).isEmpty();
        post(DRY_RUN, request(SampleDefinitions.json("g"))).problem(422, "appname_mismatch");
        post(DRY_RUN, "{\"last\": 1, \"version\": 1, \"code\": \"1\"}").problem(400, "invalid_request");
    }

    @Test
    void definitionOfAFunctionThatIsNotSaved_isTriedAndNotSaved() {
        String path = "/api/v1/functions/unsaved";
        List<String> tried = new CopyOnWriteArrayList<>();
        runtime.onDryRun((spec, changes) -> {
            tried.add(spec.name());
            return List.of();
        });

        post(path + "/dry-run", request(SampleDefinitions.json("unsaved"))).ok();

        assertThat(tried).containsExactly("unsaved");
        assertThat(get(path).status()).isEqualTo(404);
        assertThat(post(path + "/dry-run", "{\"last\": 1}").status()).isEqualTo(404);
    }

    private static String request(ObjectNode draft) {
        ObjectNode request = JSON.createObjectNode();
        request.putObject("change").put("id", "x").put("document", 1);
        request.set("definition", draft);
        return request.toString();
    }

    @Test
    void draftOfADefinition_hasOnlyWhatTheAskerMayBind() {
        Subject manager = Subject.user(
                "ann",
                Subject.Domain.LOCAL,
                Role.parseAll("eventing_manage_functions[*:*],data_dcp_reader[%s],data_reader[%s],data_writer[%s]"
                        .formatted(source.bucket(), "meta", "meta")));
        ObjectNode draft = SampleDefinitions.json("f").put("appcode", "function OnUpdate(doc, meta) {}");
        draft.withObject("depcfg").putArray("buckets");

        assertThat(functions.draft(F, draft, manager).aliases()).isEmpty();
        draft.withObject("depcfg")
                .putArray("buckets")
                .addObject()
                .put("alias", "hidden")
                .put("bucket_name", "hidden");
        assertThatThrownBy(() -> functions.draft(F, draft, manager))
                .isInstanceOf(FunctionsException.class)
                .hasMessageContaining("the binding hidden");
    }

    @Test
    void documentOutsideTheSource_isRefused() {
        JsonNode problem = post(DRY_RUN, "{\"document\":{\"id\":\"a\",\"scope\":\"private\"}}")
                .problem(400, "invalid_request");

        assertThat(problem.toString()).contains("its source is");
    }

    @Test
    void document_isHandledAsItIs() {
        put("a", "1");

        assertThat(texts("{\"document\":{\"id\":\"a\"}}")).containsExactly("1");
        post(DRY_RUN, "{\"document\":{\"id\":\"absent\"}}").problem(400, "invalid_request");
    }

    @Test
    void change_isHandledAsItIsGiven() {
        assertThat(texts("{\"change\":{\"id\":\"x\",\"document\":7}}")).containsExactly("7");
        assertThat(texts("{\"change\":{\"id\":\"x\",\"deleted\":true}}")).containsExactly("deleted");
        post(DRY_RUN, "{\"change\":{\"id\":\"x\"}}").problem(400, "invalid_request");
    }

    @Test
    void last_areTheNewestChangesOfOthersOldestFirst() {
        put("a", "1");
        put("b", "2");
        put("c", "3");
        documents
                .write(Write.upsert(new DocumentKey(Keyspace.of(source.bucket()), "own"), new byte[] {'4'})
                        .withOrigin(
                                new Origin(functions.saved(F, Subject.open()).instance(), 1)))
                .join();

        assertThat(texts("{\"last\":2}")).containsExactly("2", "3");
        post(DRY_RUN, "{\"last\":1001}").problem(400, "invalid_request");
    }

    @Test
    void compare_showsOnlyWhatDiffers() {
        put("a", "1");
        put("b", "2");

        JsonNode response = post(
                        DRY_RUN, "{\"last\":2,\"compare\":{\"code\":\"function OnUpdate(d, m) { log('other'); }\"}}")
                .ok()
                .json();

        assertThat(response.path("changes").asInt()).isEqualTo(2);
        assertThat(response.path("differences")).singleElement().satisfies(difference -> {
            assertThat(difference.path("id").asString()).isEqualTo("b");
            assertThat(difference.at("/invocation/effects/0/text").asString()).isEqualTo("2");
            assertThat(difference.at("/compared/effects/0/text").asString()).isEqualTo("other");
        });
    }

    /** The version that is compared gets the answers that the first one got. */
    @Test
    void recordedAnswers_areTakenOutAndGivenToTheOtherVersion() {
        AtomicInteger runs = new AtomicInteger();
        runtime.onDryRun((spec, changes) -> List.of("""
                {"id": "x", "effects": [], "recorded": {"responses": [{"url": "http://r/%d"}], "sql": [], "left_out": ["a", "b"]}}""".formatted(runs.incrementAndGet())));
        String change = "{\"change\":{\"id\":\"x\",\"document\":7}%s}";

        JsonNode alone =
                post(DRY_RUN, change.formatted(",\"record\":true")).ok().json();
        JsonNode both = post(
                        DRY_RUN, change.formatted(",\"record\":true,\"responses\":[{\"status\":201}],\"compare\":{}"))
                .ok()
                .json();

        assertThat(alone.at("/invocations/0").has("recorded")).isFalse();
        assertThat(alone.path("answers")).isEqualTo(JSON.readTree("""
                {"responses": [{"url": "http://r/1"}], "sql": [], "left_out": ["a", "b"]}"""));
        assertThat(both.path("differences")).isEmpty();
        assertThat(both.path("answers")).isEqualTo(JSON.readTree("""
                {"responses": [{"url": "http://r/2"}, {"url": "http://r/3"}], "sql": [], "left_out": ["a", "b"]}"""));
        assertThat(runtime.dryRunAnswers().getLast())
                .contains("\"responses\":[{\"status\":201},{\"url\":\"http://r/2\"}]", "\"record\":true");
    }

    /** A draft's bindings have no passwords and may lead anywhere. */
    @Test
    void record_isRefusedWithADefinitionThatIsNotSaved() {
        String draft = SampleDefinitions.json("f").toString();

        for (String request : List.of(
                "{\"last\":1,\"record\":true,\"definition\":" + draft + "}",
                "{\"last\":1,\"record\":true,\"compare\":{\"definition\":" + draft + "}}",
                "{\"last\":1,\"record\":1}")) {
            assertThat(post(DRY_RUN, request).problem(400, "invalid_request").toString())
                    .contains("record");
        }
    }

    @Test
    void functionOnMessages_isNotTried() {
        ObjectNode json = SampleDefinitions.json("on_messages").put("appcode", "function OnMessage(message, meta) {}");
        json.putObject("depcfg").put("source_topic", "orders").put("metadata_bucket", "meta");
        post("/api/v1/functions/on_messages", json.toString()).ok();

        assertThat(post("/api/v1/functions/on_messages/dry-run", "{\"change\": {\"id\": \"1\", \"document\": {}}}")
                        .problem(400, "invalid_request")
                        .toString())
                .contains("messages of the topic orders");
    }

    @Test
    void functionOnEvents_handlesAnEventThatIsGiven() {
        ObjectNode json = SampleDefinitions.json("on_events").put("appcode", "function OnEvent(event, meta) {}");
        json.putObject("depcfg").put("source_category", "Cart").put("metadata_bucket", "meta");
        post("/api/v1/functions/on_events", json.toString()).ok();
        String path = "/api/v1/functions/on_events/dry-run";
        documents
                .with(SystemHandle.STREAMS)
                .catalog()
                .createBucket("_streams", 1)
                .handle((made, exists) -> true)
                .join();

        JsonNode shown = post(path, """
                {"event": {"stream": "Cart-7", "index": 3, "type": "Added", "data": {"sku": "pen"}}}""").ok().json();

        assertThat(shown.at("/invocations/0/id").asString()).isEqualTo("Cart-7");
        for (String mistake : List.of(
                "{\"event\":{\"stream\":\"Order-7\",\"index\":0}}",
                "{\"document\":{\"id\":\"Cart-7\"}}",
                "{\"event\":{\"stream\":\"Cart-7\",\"type\":\"Added\",\"dataa\":1}}",
                "{\"event\":{\"stream\":\"Cart-7\"}}",
                "{\"event\":{\"stream\":\"Cart-7\",\"index\":-1}}",
                "{\"event\":{\"stream\":\"Cart-7\",\"index\":-1,\"type\":\"Added\"}}",
                "{\"event\":{\"stream\":\"Cart-7\",\"index\":1.5,\"type\":\"Added\"}}",
                "{\"event\":{\"stream\":\"Cart-7\",\"index\":99}}")) {
            post(path, mistake).problem(400, "invalid_request");
        }
        post(DRY_RUN, "{\"event\":{\"stream\":\"Cart-7\",\"index\":0}}").problem(400, "invalid_request");
    }

    @Test
    void mistakes_areRefused() {
        post(DRY_RUN, "{}").problem(400, "invalid_request");
        post(DRY_RUN, "{\"last\":1,\"letter\":\"1-1\"}").problem(400, "invalid_request");
        post(DRY_RUN, "{\"lasst\":1}").problem(400, "invalid_request");
        post(DRY_RUN, "{\"letter\":\"1-1\"}").problem(400, "invalid_request");
        post(DRY_RUN, "{\"last\":1,\"version\":99}").problem(400, "invalid_request");
        post(DRY_RUN, "{\"last\":1,\"code\":\"function OnUpdate( {\"}").problem(422, "code_does_not_compile");
    }
}
