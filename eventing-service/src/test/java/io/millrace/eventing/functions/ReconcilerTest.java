package io.millrace.eventing.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.access.Subject;
import io.millrace.documents.DocumentsException;
import io.millrace.eventing.configuration.ConfigStore;
import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.definition.SampleDefinitions;
import io.millrace.eventing.runtime.DeployRejected;
import io.millrace.eventing.versions.Author;
import io.millrace.workerprotocol.LogLine;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class ReconcilerTest extends ReconcilerNodes {

    @Test
    void deploy_startsTheFunction() {
        node.lifecycle.deploy(FunctionName.of("f"));

        node.awaitStatus("f", "deployed");
        assertThat(node.runtime.running()).containsExactly("f");
    }

    @Test
    void wholeLife_endsWhereItBegan() {
        node.lifecycle.deploy(FunctionName.of("f"));
        node.awaitStatus("f", "deployed");
        String instance = node.runtime.spec("f").orElseThrow().instance();
        node.lifecycle.pause(FunctionName.of("f"));
        node.awaitStatus("f", "paused");
        assertThat(node.runtime.running()).isEmpty();
        node.lifecycle.resume(FunctionName.of("f"));
        node.awaitStatus("f", "deployed");
        assertThat(node.runtime.spec("f").orElseThrow().instance()).isEqualTo(instance);
        node.lifecycle.undeploy(FunctionName.of("f"));
        node.awaitStatus("f", "undeployed");

        assertThat(node.runtime.running()).isEmpty();
        assertThat(node.runtime.calls("f")).containsExactly("start", "stop", "start", "stop", "remove");
        node.lifecycle.deploy(FunctionName.of("f"));
        node.awaitStatus("f", "deployed");
        assertThat(node.runtime.spec("f").orElseThrow().instance()).isNotEqualTo(instance);
    }

    @Test
    void handlerThatCannotRun_isUndeployedWithTheReason() {
        node.runtime.onStart(spec -> CompletableFuture.failedFuture(new DeployRejected("no such thing", 3, 7)));

        node.lifecycle.deploy(FunctionName.of("f"));

        node.awaitStatus("f", "undeployed");
        ObjectNode status = node.status.one(FunctionName.of("f"), List.of());
        assertThat(status.at("/app/failure/message").asString()).isEqualTo("no such thing");
        assertThat(status.at("/app/failure/line").asInt()).isEqualTo(3);
        assertThat(node.logs.newestFirst("f", 1000)).contains("[ERROR]", "no such thing (line 3, column 7)");
        node.runtime.reset();
        node.lifecycle.deploy(FunctionName.of("f"));
        node.awaitStatus("f", "deployed");
        assertThat(node.status
                        .one(FunctionName.of("f"), List.of())
                        .at("/app/failure")
                        .isMissingNode())
                .isTrue();
    }

    @Test
    void runtime_isToldThatTheFunctionsAreKnown() {
        await().until(node.runtime::isKnown);
    }

    @Test
    void resumeThatFails_goesBackToPaused() {
        node.lifecycle.deploy(FunctionName.of("f"));
        node.awaitStatus("f", "deployed");
        node.lifecycle.pause(FunctionName.of("f"));
        node.awaitStatus("f", "paused");
        node.runtime.onStart(spec -> CompletableFuture.failedFuture(new DeployRejected("no such thing", 3, 7)));

        node.lifecycle.resume(FunctionName.of("f"));

        await().untilAsserted(() -> assertThat(node.status
                        .one(FunctionName.of("f"), List.of())
                        .at("/app/failure/message")
                        .asString())
                .isEqualTo("no such thing"));
        assertThat(node.status("f")).isEqualTo("paused");
        assertThat(node.runtime.calls("f")).doesNotContain("remove");
    }

    @Test
    void startThatNeverEnds_isUndeployedAfterThePatience() {
        node.runtime.onStart(spec -> new CompletableFuture<>());

        node.lifecycle.deploy(FunctionName.of("f"));

        node.awaitStatus("f", "undeployed");
        assertThat(node.status
                        .one(FunctionName.of("f"), List.of())
                        .at("/app/failure/message")
                        .asString())
                .contains("within 2 s");
        assertThat(node.runtime.running()).isEmpty();
    }

    /** Its time is up after two seconds and counted five times a second. */
    @Test
    void functionThatWaitsForItsTurnToStart_isNotLate() {
        node.runtime.queue(true);
        node.runtime.onStart(spec -> new CompletableFuture<>());
        node.lifecycle.deploy(FunctionName.of("f"));

        await().atMost(Duration.ofMinutes(2)).until(() -> node.runtime.queueLooks() > 15);

        node.awaitStatus("f", "deploying");
        node.runtime.queue(false);
        node.awaitStatus("f", "undeployed");
    }

    @Test
    void temporaryFailure_isRetried() {
        var failures = new AtomicInteger();
        node.runtime.onStart(spec -> failures.incrementAndGet() < 3
                ? CompletableFuture.failedFuture(
                        DocumentsException.of(DocumentsException.Code.UNAVAILABLE, "Redis is loading"))
                : CompletableFuture.completedFuture(null));

        node.lifecycle.deploy(FunctionName.of("f"));

        node.awaitStatus("f", "deployed");
    }

    @Test
    void cancelledStart_isRetried() {
        var starts = new AtomicInteger();
        node.runtime.onStart(spec -> starts.incrementAndGet() == 1
                ? CompletableFuture.failedFuture(new CancellationException("stopped meanwhile"))
                : CompletableFuture.completedFuture(null));

        node.lifecycle.deploy(FunctionName.of("f"));

        node.awaitStatus("f", "deployed");
        assertThat(node.runtime.running()).containsExactly("f");
    }

    @Test
    void redisThatRefusesWrites_neverUndeploysAFunction() {
        node.lifecycle.deploy(FunctionName.of("f"));
        node.awaitStatus("f", "deployed");
        node.reconciler.stop();
        var starts = new AtomicInteger();
        FakeRuntime refusing = new FakeRuntime();
        refusing.onStart(spec -> starts.incrementAndGet() < 3
                ? CompletableFuture.failedFuture(
                        DocumentsException.of(DocumentsException.Code.REFUSED, "MISCONF disk full"))
                : CompletableFuture.completedFuture(null));

        Node again = new Node(refusing);

        again.awaitStatus("f", "deployed");
        assertThat(again.runtime.calls("f")).doesNotContain("remove");
        again.reconciler.stop();
    }

    @Test
    void shutdown_leavesTheClusterBeforeFunctionsStop() {
        node.lifecycle.deploy(FunctionName.of("f"));
        node.awaitStatus("f", "deployed");

        node.reconciler.stop();

        assertThat(node.callsBeforeLeaving).containsExactly("start");
        assertThat(node.runtime.calls("f")).containsExactly("start", "stop");
    }

    @Test
    void restart_goesOnWithDeployedFunctions() {
        node.lifecycle.deploy(FunctionName.of("f"));
        node.awaitStatus("f", "deployed");
        String instance = node.runtime.spec("f").orElseThrow().instance();
        node.reconciler.stop();

        Node again = new Node();

        again.awaitStatus("f", "deployed");
        assertThat(again.runtime.spec("f").orElseThrow().instance()).isEqualTo(instance);
        again.reconciler.stop();
    }

    @Test
    void restartInTheMiddleOfWork_finishesIt() {
        node.runtime.onStart(spec -> new CompletableFuture<>());
        node.lifecycle.deploy(FunctionName.of("f"));
        await().until(() -> node.runtime.running().contains("f"));
        node.reconciler.stop();

        Node again = new Node();

        again.awaitStatus("f", "deployed");
        again.reconciler.stop();
    }

    @Test
    void afterRestart_functionThatIsStillStartingCanBeUndeployed() {
        node.lifecycle.deploy(FunctionName.of("f"));
        node.awaitStatus("f", "deployed");
        node.reconciler.stop();
        FakeRuntime stuck = new FakeRuntime();
        stuck.onStart(spec -> new CompletableFuture<>());
        Node again = new Node(stuck);
        await().until(() -> stuck.running().contains("f"));
        assertThat(again.status("f")).isEqualTo("deploying");

        again.lifecycle.undeploy(FunctionName.of("f"));

        again.awaitStatus("f", "undeployed");
        assertThat(again.runtime.running()).isEmpty();
        again.reconciler.stop();
    }

    @Test
    void logLevelOfADeployedFunction_reachesItsWorkers() {
        node.lifecycle.deploy(FunctionName.of("f"));
        node.awaitStatus("f", "deployed");

        node.definitions.changeSettings(
                FunctionName.of("f"), SampleDefinitions.parse("{\"log_level\": \"DEBUG\"}"), Author.of(Subject.open()));

        await().untilAsserted(() ->
                assertThat(node.runtime.spec("f").map(spec -> spec.logLevel())).hasValue("DEBUG"));
        assertThat(node.runtime.calls("f")).containsExactly("start", "stop", "start");
        node.awaitStatus("f", "deployed");
    }

    @Test
    void functionThatEndedByItself_isStartedAgain() {
        node.lifecycle.deploy(FunctionName.of("f"));
        node.awaitStatus("f", "deployed");

        node.runtime.lose("f");

        await().until(() -> node.runtime.running().contains("f"));
    }

    @Test
    void droppedSource_undeploysAPausedFunctionToo() {
        node.lifecycle.deploy(FunctionName.of("f"));
        node.awaitStatus("f", "deployed");
        node.lifecycle.pause(FunctionName.of("f"));
        node.awaitStatus("f", "paused");

        documents.catalog().dropBucket("src").join();

        node.awaitStatus("f", "undeployed");
        assertThat(node.status
                        .one(FunctionName.of("f"), List.of())
                        .at("/app/failure/message")
                        .asString())
                .contains("'src'");
    }

    @Test
    void droppedSource_undeploysTheFunction() {
        node.lifecycle.deploy(FunctionName.of("f"));
        node.awaitStatus("f", "deployed");

        documents.catalog().dropBucket("src").join();

        await().untilAsserted(() -> assertThat(node.status("f")).isEqualTo("undeployed"));
        assertThat(node.status
                        .one(FunctionName.of("f"), List.of())
                        .at("/app/failure/message")
                        .asString())
                .contains("'src'");
        assertThat(node.runtime.running()).isEmpty();
    }

    @Test
    void deletedFunction_losesItsLog() {
        node.logs.append("f", List.of(new LogLine("INFO", 0, "x")));

        node.definitions.delete(FunctionName.of("f"), null);

        await().until(() -> node.logs.newestFirst("f", 100).isEmpty());
        node.definitions.save(SampleDefinitions.json("f"), null, false, Author.of(Subject.open()));
        node.lifecycle.deploy(FunctionName.of("f"));
        node.awaitStatus("f", "deployed");
    }

    @Test
    void rapidRequests_areAllSeenByTheirSender() {
        for (int i = 0; i < 20; i++) {
            node.lifecycle.deploy(FunctionName.of("f"));
            assertThatThrownBy(() -> node.definitions.delete(FunctionName.of("f"), null))
                    .hasMessageContaining("undeploy it");
            node.awaitStatus("f", "deployed");
            node.lifecycle.undeploy(FunctionName.of("f"));
            node.awaitStatus("f", "undeployed");
        }
    }

    @Test
    void beforeMetakvWasRead_requestsAreRefused() {
        FunctionStore blind = new FunctionStore(metakv, new RebalanceGuard(() -> false, new ConfigStore(metakv)));

        assertThatThrownBy(blind::all)
                .satisfies(refused ->
                        assertThat(((FunctionsException) refused).code()).isEqualTo(ErrorCode.ERR_GET_CONFIG));
    }
}
