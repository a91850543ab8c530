package io.millrace.eventing.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.access.Subject;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.SampleDefinitions;
import io.millrace.eventing.runtime.DeployRejected;
import io.millrace.eventing.versions.Author;
import io.millrace.workerprotocol.HandlerSettings;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Saving other code over a deployed function. */
class HotSwapTest extends ReconcilerNodes {

    private static final String OTHER = "function OnUpdate(doc) { log(doc); }";

    @BeforeEach
    void deploy() {
        node.runtime.onSwap(spec -> CompletableFuture.completedFuture(null));
        node.lifecycle.deploy(FunctionName.of("f"));
        node.awaitStatus("f", "deployed");
    }

    private void save(String code) {
        node.definitions.save(SampleDefinitions.json("f").put("appcode", code), null, true, Author.of(Subject.open()));
    }

    private JsonNode app() {
        return node.status.one(FunctionName.of("f"), List.of()).path("app");
    }

    private void awaitSettled() {
        await().atMost(PATIENCE)
                .until(() -> !app().has("swapping")
                        && app().path("composite_status").asString().equals("deployed"));
    }

    @Test
    void otherCode_takesOverWithoutAPause() {
        String since = app().path("since").asString();

        save(OTHER);

        awaitSettled();
        assertThat(app().path("version").asInt()).isEqualTo(2);
        assertThat(app().path("since").asString()).isEqualTo(since);
        assertThat(node.definitions.code(FunctionName.of("f"))).isEqualTo(OTHER);
        assertThat(node.runtime.spec("f").orElseThrow().code()).isEqualTo(OTHER);
        assertThat(node.runtime.calls("f")).containsExactly("start", "swap");
    }

    @Test
    void codeThatCannotRun_leavesTheOldVersionAndSaysSo() {
        String before = node.definitions.code(FunctionName.of("f"));
        node.runtime.onSwap(spec -> CompletableFuture.failedFuture(new DeployRejected("no such thing", 3, 7)));

        save(OTHER);

        awaitSettled();
        assertThat(app().path("version").asInt()).isEqualTo(1);
        assertThat(app().at("/failure/message").asString()).isEqualTo("no such thing");
        assertThat(app().at("/failure/line").asInt()).isEqualTo(3);
        assertThat(node.definitions.code(FunctionName.of("f"))).isEqualTo(before);
        assertThat(node.runtime.calls("f")).containsExactly("start", "swap");
        assertThat(node.logs.newestFirst("f", 1000))
                .contains(
                        "Version 2 of function f is not deployed, version 1 goes on: no such thing (line 3, column 7)");

        node.runtime.onSwap(spec -> CompletableFuture.completedFuture(null));
        save(OTHER);
        awaitSettled();
        assertThat(app().has("failure")).isFalse();
        assertThat(app().path("version").asInt()).isEqualTo(2);
    }

    @Test
    void codeThatWorkersCouldNotTake_isTakenWithAPause() {
        node.runtime.onSwap(spec -> CompletableFuture.failedFuture(new IllegalStateException("the worker ended")));

        save(OTHER);

        await().atMost(PATIENCE).until(() -> node.runtime.calls("f").equals(List.of("start", "swap", "stop", "start")));
        awaitSettled();
        assertThat(app().path("version").asInt()).isEqualTo(2);
        assertThat(node.runtime.spec("f").orElseThrow().code()).isEqualTo(OTHER);
    }

    @Test
    void codeWithOnDeploy_pauses_becauseOnDeployComesFirst() {
        save("function OnDeploy(action) {} function OnUpdate(doc) {}");

        await().atMost(PATIENCE).until(() -> node.runtime.calls("f").equals(List.of("start", "stop", "start")));
        awaitSettled();
        assertThat(node.runtime.action("f").orElseThrow().reason()).isEqualTo("Resume");
    }

    @Test
    void otherConstants_takeOverWithoutAPause() {
        node.definitions.changeSettings(
                FunctionName.of("f"), SampleDefinitions.parse("{\"env\": {\"RATE\": 2}}"), Author.of(Subject.open()));

        awaitSettled();
        assertThat(app().path("version").asInt()).isEqualTo(2);
        assertThat(node.runtime.calls("f")).containsExactly("start", "swap");
        assertThat(node.runtime.spec("f").orElseThrow().handler().constants())
                .contains(new HandlerSettings.Constant("RATE", "2"));
    }

    @Test
    void constantsThatTheCodeCannotTake_leaveTheFunctionAsItIs() {
        node.runtime.onSwap(spec -> CompletableFuture.failedFuture(new DeployRejected("RATE is too low", 1, 1)));

        node.definitions.changeSettings(
                FunctionName.of("f"), SampleDefinitions.parse("{\"env\": {\"RATE\": 0}}"), Author.of(Subject.open()));

        awaitSettled();
        assertThat(app().path("version").asInt()).isEqualTo(1);
        assertThat(app().at("/failure/message").asString()).isEqualTo("RATE is too low");
        assertThat(node.runtime.calls("f")).containsExactly("start", "swap");
    }

    @Test
    void functionThatIsPausedBeforeItHasSwapped_staysPausedWithItsOldVersion() {
        CompletableFuture<Void> swapping = new CompletableFuture<>();
        node.runtime.onSwap(spec -> swapping);
        save(OTHER);
        await().atMost(PATIENCE).until(() -> node.runtime.calls("f").contains("swap"));

        node.lifecycle.pause(FunctionName.of("f"));
        swapping.complete(null);

        node.awaitStatus("f", "paused");
        assertThat(app().path("version").asInt()).isEqualTo(1);
    }
}
