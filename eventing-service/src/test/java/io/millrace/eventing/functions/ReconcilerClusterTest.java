package io.millrace.eventing.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.access.Subject;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.SampleDefinitions;
import io.millrace.eventing.runtime.FunctionRuntime.DeployAction;
import io.millrace.eventing.runtime.WorkerNotes;
import io.millrace.eventing.versions.Author;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What nodes do for each other. */
class ReconcilerClusterTest extends ReconcilerNodes {

    @Test
    void anotherNode_followsTheSameState() {
        Node other = new Node("b", new FakeRuntime());

        node.lifecycle.deploy(FunctionName.of("f"));
        other.awaitStatus("f", "deployed");
        await().until(() ->
                other.runtime.running().contains("f") && node.runtime.running().contains("f"));
        other.lifecycle.undeploy(FunctionName.of("f"));

        node.awaitStatus("f", "undeployed");
        await().until(() ->
                other.runtime.running().isEmpty() && node.runtime.running().isEmpty());
        other.reconciler.stop();
    }

    /** Each write of the state is a round trip that the user waits for. */
    @Test
    void functionDeployedThroughTheLeadingNode_isStartedWithoutAnotherWrite() {
        node.lifecycle.deploy(FunctionName.of("f"));
        node.awaitStatus("f", "deployed");

        List<String> written = node.store.history(FunctionName.of("f"), Long.MAX_VALUE, 10).stream()
                .map(change -> new String(Objects.requireNonNull(change.value()), StandardCharsets.UTF_8))
                .filter(value -> value.contains("\"deploying\""))
                .toList();
        assertThat(written).hasSize(1).allMatch(value -> value.contains("\"node\":\"a\""));
    }

    @Test
    void functionDeployedThroughAnotherNode_isStartedByTheLeadingOne() {
        Node other = new Node("b", new FakeRuntime());

        other.lifecycle.deploy(FunctionName.of("f"));

        node.awaitStatus("f", "deployed");
        assertThat(node.runtime.action("f").map(DeployAction::reason)).hasValue("Deploy");
        await().until(() -> other.runtime.running().contains("f"));
        assertThat(other.runtime.action("f")).isEmpty();
        other.reconciler.stop();
    }

    @Test
    void nodeThatDeploysAndDies_isReplaced() {
        sharing = new TreeSet<>(Set.of("a", "b"));
        Node other = new Node("b", new FakeRuntime());
        node.runtime.onStart(spec -> new CompletableFuture<>());
        node.lifecycle.deploy(FunctionName.of("f"));
        await().atMost(PATIENCE).until(() -> node.runtime.running().contains("f"));

        node.die();

        other.awaitStatus("f", "deployed");
        assertThat(other.runtime.action("f").map(DeployAction::reason)).hasValue("Deploy");
        other.lifecycle.pause(FunctionName.of("f"));
        other.awaitStatus("f", "paused");
        other.lifecycle.resume(FunctionName.of("f"));
        other.awaitStatus("f", "deployed");
        assertThat(other.runtime.action("f").map(DeployAction::reason)).hasValue("Resume");
        other.reconciler.stop();
    }

    @Test
    void nodeThatComesFirstNow_doesNotDeployWhatAnotherOneDeploys() {
        sharing = new TreeSet<>(Set.of("a"));
        CompletableFuture<Void> started = new CompletableFuture<>();
        node.runtime.onStart(spec -> started);
        node.lifecycle.deploy(FunctionName.of("f"));
        await().atMost(PATIENCE).until(() -> node.runtime.running().contains("f"));

        sharing = new TreeSet<>(Set.of("A", "a"));
        Node first = new Node("A", new FakeRuntime());
        await().atMost(PATIENCE).until(() -> first.looks.get() >= 2);
        started.complete(null);

        first.awaitStatus("f", "deployed");
        assertThat(first.runtime.calls("f")).containsExactly("start");
        assertThat(first.runtime.action("f")).isEmpty();
        assertThat(node.runtime.calls("f")).containsExactly("start");
        first.reconciler.stop();
    }

    @Test
    void pause_isOverWhenEveryNodeHasEndedTheFunction() {
        Node other = withOther();
        CompletableFuture<Void> ended = new CompletableFuture<>();
        other.runtime.holdStops(ended);

        node.lifecycle.pause(FunctionName.of("f"));

        await().atMost(PATIENCE).until(() -> node.asked.get() >= 3);
        assertThat(node.status("f")).isEqualTo("pausing");
        assertThat(node.runtime.running()).isEmpty();
        ended.complete(null);
        node.awaitStatus("f", "paused");
        assertThat(other.runtime.running()).isEmpty();
        other.reconciler.stop();
    }

    @Test
    void undeploy_deletesWhenEveryNodeHasEndedTheFunction() {
        Node other = withOther();
        CompletableFuture<Void> ended = new CompletableFuture<>();
        other.runtime.holdStops(ended);

        other.lifecycle.undeploy(FunctionName.of("f"));

        await().atMost(PATIENCE).until(() -> node.asked.get() >= 3);
        assertThat(node.status("f")).isEqualTo("undeploying");
        assertThat(node.runtime.calls("f")).doesNotContain("remove");
        ended.complete(null);
        node.awaitStatus("f", "undeployed");
        assertThat(node.runtime.calls("f")).contains("remove");
        assertThat(other.runtime.calls("f")).doesNotContain("remove");
        other.reconciler.stop();
    }

    @Test
    void nodeThatDoesNotAnswer_isWaitedForUntilItsRegistrationEnds() {
        Node other = withOther();
        silent.add("b");

        node.lifecycle.pause(FunctionName.of("f"));

        await().atMost(PATIENCE).until(() -> node.asked.get() >= 3);
        assertThat(node.status("f")).isEqualTo("pausing");
        other.die();
        silent.clear();
        node.awaitStatus("f", "paused");
    }

    @Test
    void nodeThatNeverAnswers_doesNotBlockForever() {
        node.lifecycle.deploy(FunctionName.of("f"));
        node.awaitStatus("f", "deployed");
        node.reconciler.stop();
        stopElsewhere = Duration.ofMillis(500);
        Node again = new Node();
        again.awaitStatus("f", "deployed");
        silent.add("b");

        again.lifecycle.pause(FunctionName.of("f"));

        again.awaitStatus("f", "paused");
        assertThat(again.asked).hasValueGreaterThan(1);
        again.reconciler.stop();
    }

    /** Returns a second node on which the function runs as it does on the first. */
    private Node withOther() {
        sharing = new TreeSet<>(Set.of("a", "b"));
        Node other = new Node("b", new FakeRuntime());
        node.lifecycle.deploy(FunctionName.of("f"));
        node.awaitStatus("f", "deployed");
        other.awaitStatus("f", "deployed");
        return other;
    }

    @Test
    void status_saysOfEveryNodeWhyWorkersHaveTheirOwnProcessOrWait() {
        Node other = new Node("b", new FakeRuntime());
        node.runtime.notes("f", new WorkerNotes(Map.of("worker_f_0", "it used up the memory"), Map.of()));
        other.runtime.notes(
                "f",
                new WorkerNotes(
                        Map.of("worker_f_0", "it crashed", "worker_f_1", "it was stuck"),
                        Map.of("worker_f_1", "it cannot reach Redis")));
        await().atMost(PATIENCE)
                .until(() -> other.store.find(FunctionName.of("f")).isPresent());

        List<JsonNode> others = List.of(other.status.one(FunctionName.of("f"), List.of()));

        assertThat(node.status
                        .one(FunctionName.of("f"), List.of())
                        .at("/app/workers_apart")
                        .toString())
                .isEqualTo("{\"worker_f_0\":\"it used up the memory\"}");
        assertThat(node.status
                        .one(FunctionName.of("f"), others)
                        .at("/app/workers_apart")
                        .toString())
                .isEqualTo("{\"worker_f_0\":\"it used up the memory\",\"worker_f_1\":\"it was stuck\"}");
        assertThat(node.status
                        .one(FunctionName.of("f"), others)
                        .at("/app/workers_waiting/worker_f_1")
                        .asString())
                .isEqualTo("it cannot reach Redis");
        other.reconciler.stop();
    }

    @Test
    void codeThatTheFirstNodeHasTaken_isTakenByTheOthers() {
        sharing = new TreeSet<>(Set.of("a", "b"));
        Node other = new Node("b", new FakeRuntime());
        node.runtime.onSwap(spec -> CompletableFuture.completedFuture(null));
        other.runtime.onSwap(spec -> CompletableFuture.completedFuture(null));
        node.lifecycle.deploy(FunctionName.of("f"));
        other.awaitStatus("f", "deployed");
        node.awaitStatus("f", "deployed");

        other.definitions.save(
                SampleDefinitions.json("f").put("appcode", "function OnUpdate(doc) {}"),
                null,
                true,
                Author.of(Subject.open()));

        await().atMost(PATIENCE)
                .until(() -> other.runtime.spec("f").orElseThrow().version() == 2);
        assertThat(node.runtime.calls("f")).containsExactly("start", "swap");
        assertThat(other.runtime.calls("f")).containsExactly("start", "swap");
        other.reconciler.stop();
    }
}
