package io.millrace.eventing.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.access.Role;
import io.millrace.access.Subject;
import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.definition.SampleDefinitions;
import io.millrace.eventing.versions.Author;
import io.millrace.eventing.versions.FunctionOwner;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Functions run with the rights of the user who saved their code: reads {@code src}, keeps {@code meta}, writes {@code dst}. */
class OwnerTest extends ReconcilerNodes {

    private static final FunctionName G = FunctionName.of("src", "_default", "g");
    private static final List<String> ENOUGH = List.of(
            "eventing_manage_functions[src:_default]",
            "data_dcp_reader[src:_default:_default]",
            "data_reader[meta]",
            "data_writer[meta:_default]",
            "data_reader[dst:_default:_default]",
            "data_writer[dst:_default:_default]");

    @BeforeEach
    void followUsers() {
        users.start();
    }

    @AfterEach
    void closeUsers() {
        users.close();
    }

    private static Subject alice(List<String> roles) {
        return Subject.user("alice", Subject.Domain.LOCAL, Role.parseAll(String.join(",", roles)));
    }

    private void store(List<String> roles) {
        String json = "{\"name\": \"alice\", \"roles\": [%s], \"scram\": {}}"
                .formatted(roles.stream().map(role -> '"' + role + '"').collect(Collectors.joining(",")));
        metakv.set("/users/alice", json.getBytes(StandardCharsets.UTF_8)).block();
        await().until(() -> users.subject("alice")
                .filter(now -> now.roles().size() == roles.size())
                .isPresent());
    }

    private static ObjectNode g() {
        ObjectNode json = (ObjectNode) SampleDefinitions.json("g").deepCopy();
        json.putObject("function_scope").put("bucket", "src").put("scope", "_default");
        return json;
    }

    private static List<String> without(String role) {
        List<String> roles = new ArrayList<>(ENOUGH);
        assertThat(roles.remove(role)).isTrue();
        return roles;
    }

    private static void assertForbidden(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String... why) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        FunctionsException.class,
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.ERR_FORBIDDEN))
                .hasMessageContainingAll(why);
    }

    private @Nullable FunctionOwner owner(FunctionName name) {
        return node.store.find(name).orElseThrow().owner();
    }

    @Test
    void specOfAFunction_isMadeAgainForAnotherVersionAndOtherRoles() {
        store(ENOUGH);
        node.definitions.save(g(), null, false, Author.of(alice(ENOUGH)));
        StoredFunction saved = node.store.find(G).orElseThrow();

        DeployCheck.Ready first = node.check.spec(saved, null);
        assertThat(node.check.spec(saved, first)).isSameAs(first);

        store(without("data_writer[dst:_default:_default]"));
        DeployCheck.Ready fewer = node.check.spec(saved, first);
        assertThat(fewer.spec()).isNotEqualTo(first.spec());

        node.definitions.save(g().put("appcode", "function OnUpdate(doc) { }"), null, false, Author.of(alice(ENOUGH)));
        DeployCheck.Ready other = node.check.spec(node.store.find(G).orElseThrow(), fewer);
        assertThat(other.spec().code()).contains("OnUpdate(doc) { }");
    }

    @Test
    void rightsOfTheOwner_areComparedAgainWhenTheyAreOthers() {
        store(ENOUGH);
        node.definitions.save(g(), null, false, Author.of(alice(ENOUGH)));
        StoredFunction saved = node.store.find(G).orElseThrow();

        OwnerRights.Finding first = node.check.rights(saved, null);
        assertThat(first.lacking()).isEmpty();
        assertThat(node.check.rights(saved, first)).isSameAs(first);

        store(without("data_writer[dst:_default:_default]"));
        assertThat(node.check.rights(saved, first).lacking()).isPresent();
    }

    @Test
    void userWithAllRights_savesAndOwnsAndDeploys() {
        store(ENOUGH);

        node.definitions.save(g(), null, false, Author.of(alice(ENOUGH)));
        node.lifecycle.deploy(G);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(node.runtime.running()).contains(G.toString()));
        assertThat(owner(G)).isEqualTo(new FunctionOwner("alice", false, List.of()));
        StoredFunction stored = node.store.find(G).orElseThrow();
        assertThat(StoredFunction.fromBytes(stored.toBytes())).isEqualTo(stored);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void userWithoutOneOfTheRights_cannotSave(int missing) {
        List<String> roles = without(ENOUGH.get(missing));

        assertForbidden(
                () -> node.definitions.save(g(), null, false, Author.of(alice(roles))),
                "The roles of alice do not grant");
        assertThat(node.store.find(G)).isEmpty();
    }

    @Test
    void ownerOfAFunctionOnEvents_needsARoleThatReadsStreams() {
        List<String> roles = without("data_dcp_reader[src:_default:_default]");
        store(roles);
        ObjectNode json = g().put("appcode", "function OnEvent(event, meta) {}");
        ObjectNode depcfg = (ObjectNode) json.get("depcfg");
        depcfg.put("source_category", "Cart").remove("source_bucket");
        assertForbidden(
                () -> node.definitions.save(json, null, false, Author.of(alice(roles))), "streams.read (the source)");

        roles.add("streams_reader");
        store(roles);
        node.definitions.save(json, null, false, Author.of(alice(roles)));
        node.lifecycle.deploy(G);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(node.runtime.running()).contains(G.toString()));
    }

    @Test
    void ownerOfAFunctionOnTopics_needsRolesThatReadAndWriteStreams() {
        List<String> roles = new ArrayList<>(ENOUGH);
        ObjectNode json = g().put("appcode", "function OnMessage(message, meta) {}");
        ObjectNode depcfg = (ObjectNode) json.get("depcfg");
        depcfg.put("source_topic", "orders").remove("source_bucket");
        depcfg.putArray("topics").addObject().put("value", "paid").put("topic", "shop.paid");
        assertForbidden(
                () -> node.definitions.save(json, null, false, Author.of(alice(roles))),
                "streams.read (the source)",
                "streams.write (the topics)");

        roles.add("streams_writer");
        store(roles);
        node.definitions.save(json, null, false, Author.of(alice(roles)));
    }

    /** Code can write what it reads anywhere: it takes the right to store secrets, which is not one of a function scope. */
    @Test
    void functionThatReadsSecrets_isSavedOnlyByWhoMayStoreThem() {
        ObjectNode json = g();
        json.putObject("settings").putObject("secrets").put("API_KEY", "mine");
        List<String> more = new ArrayList<>(ENOUGH);
        more.add("eventing_manage_functions[*]");

        assertForbidden(
                () -> node.definitions.save(json, null, false, Author.of(alice(ENOUGH))),
                "functions.manage on cluster (the secrets that the code reads)");
        node.definitions.save(json, null, false, Author.of(alice(more)));

        assertThat(node.store.find(G)).isPresent();
    }

    /** Lines before the code and constants are part of what it does. */
    @ParameterizedTest
    @ValueSource(strings = {"{\"handler_headers\": [\"log(1);\"]}", "{\"env\": {\"RATE\": 1}}"})
    void deploymentWithOtherWork_takesTheRightsOfTheOneWhoDeploys(String settings) {
        store(ENOUGH);
        node.definitions.save(g(), null, false, Author.of(alice(ENOUGH)));
        List<String> manager = List.of("eventing_manage_functions[src:_default]");
        Author bob = Author.of(Subject.user("bob", Subject.Domain.LOCAL, Role.parseAll(String.join(",", manager))));
        JsonNode changes = StoredFunction.JSON.readTree(settings);

        assertForbidden(() -> node.lifecycle.deploy(G, changes, bob), "The roles of bob do not grant");
        node.lifecycle.deploy(G, StoredFunction.JSON.readTree("{\"log_level\": \"DEBUG\"}"), bob);
        await().atMost(PATIENCE)
                .until(() -> node.store.find(G).orElseThrow().state() instanceof FunctionState.Deployed);
        assertForbidden(() -> node.lifecycle.deploy(G, changes, bob), "The roles of bob do not grant");

        assertThat(owner(G)).isEqualTo(new FunctionOwner("alice", false, List.of()));
    }

    @Test
    void scopeOfAdministrators_needsMoreThanARoleOnAScope() {
        assertForbidden(
                () -> node.definitions.save(SampleDefinitions.json("h"), null, false, Author.of(alice(ENOUGH))),
                "functions.manage on cluster (the function scope)");
    }

    @ParameterizedTest
    @CsvSource({
        "source_bucket,   data.dcp on _metakv:_default:_default",
        "metadata_bucket, data.read on _metakv:_default:_default",
        "binding,         data.write on _metakv:_default:_default",
    })
    void administrator_cannotUseBucketsOfTheSystem(String place, String missing) {
        ObjectNode json = g();
        ObjectNode depcfg = (ObjectNode) json.get("depcfg");
        if (place.equals("binding")) {
            depcfg.putArray("buckets")
                    .addObject()
                    .put("alias", "secrets")
                    .put("bucket_name", "_metakv")
                    .put("access", "rw");
        } else {
            depcfg.put(place, "_metakv");
        }

        assertForbidden(() -> node.definitions.save(json, null, false, Author.of(Subject.open())), missing);
    }

    @Test
    void rightThatIsTakenAway_pausesTheFunctionWithTheReason() {
        store(ENOUGH);
        node.definitions.save(g(), null, false, Author.of(alice(ENOUGH)));
        node.lifecycle.deploy(G);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(state()).isInstanceOf(FunctionState.Deployed.class));

        store(without("data_writer[dst:_default:_default]"));

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(state()).isInstanceOf(FunctionState.Paused.class));
        assertThat(node.runtime.running()).doesNotContain(G.toString());
        assertThat(node.status.one(G, List.of()).at("/app/failure/message").asString())
                .contains("The roles of alice do not grant data.write on dst:_default:_default (the binding dst)");
        assertForbidden(() -> node.lifecycle.resume(G), "data.write on dst");

        store(ENOUGH);
        node.lifecycle.resume(G);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(state()).isInstanceOf(FunctionState.Deployed.class));
    }

    @Test
    void queries_haveTheRolesOfTheOwner_whichChangeWithThem() {
        store(ENOUGH);
        node.definitions.save(g(), null, false, Author.of(alice(ENOUGH)));
        node.lifecycle.deploy(G);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(queryRoles()).containsExactlyInAnyOrderElementsOf(ENOUGH));

        List<String> more = new ArrayList<>(ENOUGH);
        more.add("query_select[dst]");
        store(more);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(queryRoles()).containsExactlyInAnyOrderElementsOf(more));
    }

    private List<String> queryRoles() {
        return node.runtime
                .spec(G.toString())
                .map(spec -> spec.handler().queryRoles())
                .orElse(List.of());
    }

    @Test
    void deletedOwner_pausesTheFunctionUntilAnotherUserSavesIt() {
        store(ENOUGH);
        node.definitions.save(g(), null, false, Author.of(alice(ENOUGH)));
        node.lifecycle.deploy(G);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(state()).isInstanceOf(FunctionState.Deployed.class));

        metakv.delete("/users/alice").block();

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(state()).isInstanceOf(FunctionState.Paused.class));
        assertThat(state().failure()).isNotNull();
        assertThat(String.valueOf(state().failure())).contains("alice, does not exist any more");

        node.definitions.save(g(), null, false, Author.of(Subject.open()));
        assertForbidden(() -> node.lifecycle.resume(G), "does not exist any more");
        node.definitions.changeCode(G, "function OnUpdate(doc, meta) { dst[meta.id] = 1; }", Author.of(Subject.open()));
        node.lifecycle.resume(G);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(state()).isInstanceOf(FunctionState.Deployed.class));
        assertThat(owner(G)).isNull();
    }

    private FunctionState state() {
        return node.store.find(G).orElseThrow().state();
    }

    @Test
    void userWhoChangesTheCode_becomesTheOwnerAndNeedsTheRights() {
        node.definitions.save(g(), null, false, Author.of(Subject.open()));
        assertThat(owner(G)).isNull();

        String code = "function OnUpdate(doc, meta) { dst[meta.id] = 2; }";
        List<String> few = without("data_dcp_reader[src:_default:_default]");
        assertForbidden(() -> node.definitions.changeCode(G, code, Author.of(alice(few))), "data.dcp on src");
        assertForbidden(
                () -> node.definitions.changeSettings(
                        G, SampleDefinitions.parse("{\"handler_headers\": [\"var x = 1;\"]}"), Author.of(alice(few))),
                "data.dcp on src");
        node.definitions.changeSettings(
                G, SampleDefinitions.parse("{\"log_level\": \"DEBUG\"}"), Author.of(alice(few)));
        assertThat(owner(G)).isNull();

        node.definitions.changeCode(G, code, Author.of(alice(ENOUGH)));
        assertThat(owner(G)).isEqualTo(new FunctionOwner("alice", false, List.of()));
    }

    @Test
    void externalUser_keepsTheRolesOfTheSave() {
        Subject external =
                Subject.user("bob@example.org", Subject.Domain.EXTERNAL, Role.parseAll(String.join(",", ENOUGH)));

        node.definitions.save(g(), null, false, Author.of(external));
        node.lifecycle.deploy(G);

        assertThat(owner(G)).isEqualTo(new FunctionOwner("bob@example.org", true, ENOUGH));
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(state()).isInstanceOf(FunctionState.Deployed.class));
    }
}
