package io.millrace.eventing.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.access.Subject;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.definition.SampleDefinitions;
import io.millrace.eventing.runtime.CanaryReport;
import io.millrace.eventing.runtime.CanaryReport.Side;
import io.millrace.eventing.runtime.DeployRejected;
import io.millrace.eventing.versions.Author;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Canaries as MetaKV records them and the loop of a function keeps them. */
class CanaryTest extends ReconcilerNodes {

    private static final FunctionName F = FunctionName.of("f");
    private static final Author AUTHOR = Author.of(Subject.open());
    private static final String OTHER = "function OnUpdate(doc) { log(doc); }";

    @BeforeEach
    void deploy() {
        node.runtime.onSwap(spec -> CompletableFuture.completedFuture(null));
        node.lifecycle.deploy(F);
        node.awaitStatus("f", "deployed");
    }

    private void begin(String rule) {
        ObjectNode body = (ObjectNode) SampleDefinitions.parse("{\"share\": \"1/64\", \"rule\": " + rule + "}");
        node.canaries.start(F, body.put("code", OTHER), AUTHOR);
        await().atMost(PATIENCE).until(() -> node.runtime.canary("f").isPresent());
    }

    private JsonNode canary() {
        return node.canaries.status(F);
    }

    private void awaitEnd(String state) {
        await().atMost(PATIENCE).until(() -> canary().path("state").asString().equals(state));
        await().atMost(PATIENCE).until(() -> node.runtime.canary("f").isEmpty());
    }

    private static CanaryReport report(long failed) {
        return new CanaryReport(
                new Side(6_300, 0, Map.of(100L, 6_300L), Map.of()),
                new Side(100, failed, Map.of(100L, 100L), Map.of()));
    }

    @Test
    void canary_hasItsShareOfTheVbuckets_andItsOwnVersion() {
        begin("{}");

        var spec = node.runtime.canary("f").orElseThrow();
        assertThat(spec.vbuckets().size()).isEqualTo(16);
        assertThat(spec.spec().code()).isEqualTo(OTHER);
        assertThat(spec.spec().version()).isEqualTo(2);
        assertThat(node.runtime.spec("f").orElseThrow().version()).isEqualTo(1);
        assertThat(node.definitions.version(F).number()).isEqualTo(1);
        assertThatThrownBy(() ->
                        node.definitions.save(SampleDefinitions.json("f").put("appcode", OTHER), null, true, AUTHOR))
                .isInstanceOf(FunctionsException.class)
                .hasMessageContaining("promote it or roll it back");
    }

    @Test
    void canaryThatFails_isRolledBackByItself() {
        begin("{\"min_events\": 50}");

        node.runtime.onCanaryReport(report(30));

        awaitEnd("rolled_back");
        assertThat(canary().path("reason").asString())
                .isEqualTo("It failed on 30 of 100 changes, which is 30.0 %; the other version failed on 0.0 %");
        assertThat(node.definitions.version(F).number()).isEqualTo(1);
        assertThat(node.logs.newestFirst("f", 1000)).contains("Canary version 2 of function f was rolled back");
        assertThat(node.runtime.calls("f")).containsExactly("start", "canary", "canary-end");
    }

    @Test
    void canaryThatDoesWell_isPromotedByItself_withoutAPause() {
        begin("{\"min_events\": 50, \"promote_after\": 0}");

        node.runtime.onCanaryReport(report(1));

        awaitEnd("promoted");
        assertThat(node.definitions.version(F).number()).isEqualTo(2);
        assertThat(node.definitions.code(F)).isEqualTo(OTHER);
        assertThat(node.runtime.spec("f").orElseThrow().code()).isEqualTo(OTHER);
        assertThat(node.runtime.calls("f")).containsExactly("start", "canary", "swap", "canary-end");
    }

    /** A roll back in stages: a share of the changes first, then all of them, and no pause. */
    @Test
    void formerVersion_canBeTheCanaryOfTheNewerOne() {
        begin("{}");
        node.canaries.promote(F, AUTHOR);
        awaitEnd("promoted");

        start("{\"version\": 1}");
        await().atMost(PATIENCE).until(() -> node.runtime.canary("f").isPresent());
        assertThat(node.runtime.spec("f").orElseThrow().code()).isEqualTo(OTHER);
        node.canaries.promote(F, AUTHOR);

        awaitEnd("promoted");
        assertThat(node.definitions.version(F).number()).isEqualTo(3);
        assertThat(node.definitions.code(F))
                .isEqualTo(SampleDefinitions.json("f").path("appcode").asString());
        assertThat(node.runtime.calls("f"))
                .containsExactly("start", "canary", "swap", "canary-end", "canary", "swap", "canary-end");
    }

    @Test
    void canaryWithTooFewEvents_isNotJudged_andEndsByHand() {
        begin("{\"min_events\": 1000, \"promote_after\": 0}");
        node.runtime.onCanaryReport(report(100));

        node.canaries.rollBack(F, AUTHOR);

        awaitEnd("rolled_back");
        assertThat(canary().path("reason").asString()).startsWith("Rolled back by");
        assertThatThrownBy(() -> node.canaries.promote(F, AUTHOR)).hasMessageContaining("has no canary");
        node.definitions.save(SampleDefinitions.json("f").put("appcode", OTHER), null, true, AUTHOR);
        await().atMost(PATIENCE).until(() -> node.definitions.version(F).number() == 3);
    }

    @Test
    void canaryThatCannotRun_isRolledBackWithTheReason() {
        node.runtime.onCanary(canary -> CompletableFuture.failedFuture(new DeployRejected("no such thing", 3, 7)));

        node.canaries.start(F, StoredFunction.JSON.createObjectNode().put("code", OTHER), AUTHOR);

        awaitEnd("rolled_back");
        assertThat(canary().path("reason").asString()).contains("no such thing");
    }

    @Test
    void canary_continuesAfterARestartOfTheService() {
        begin("{}");
        node.die();

        node = new Node();

        await().atMost(PATIENCE).until(() -> node.runtime.canary("f").isPresent());
        assertThat(node.runtime.canary("f").orElseThrow().spec().code()).isEqualTo(OTHER);
    }

    @Test
    void functionThatPauses_endsItsCanary() {
        begin("{}");

        node.lifecycle.pause(F);

        awaitEnd("rolled_back");
        assertThat(canary().path("reason").asString()).isEqualTo("The function is pausing");
    }

    @Test
    void wrongRequests_areRefusedInWords() {
        assertThatThrownBy(() -> start("{}")).hasMessageContaining("either the member version");
        assertThatThrownBy(() -> start("{\"version\": 1}")).hasMessageContaining("a canary has to differ");
        assertThatThrownBy(() -> start("{\"version\": 9}")).hasMessageContaining("has no version 9");
        assertThatThrownBy(() -> start("{\"code\": \"1\", \"share\": \"2/3\"}")).hasMessageContaining("use \"1/64\"");
        assertThatThrownBy(() -> start("{\"code\": \"1\", \"rule\": {\"min_events\": 0}}"))
                .hasMessageContaining("it must be a number from 1 to");
        assertThatThrownBy(() -> start("{\"code\": \"function OnDeploy() {}\"}"))
                .hasMessageContaining("no OnDeploy");
    }

    private void start(String body) {
        node.canaries.start(F, SampleDefinitions.parse(body), AUTHOR);
    }
}
