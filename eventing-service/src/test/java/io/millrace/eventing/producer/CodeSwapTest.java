package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.eventing.deadletter.DeadLetter;
import io.millrace.eventing.deadletter.DeadLetterStore;
import io.millrace.eventing.runtime.DeployRejected;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.FunctionSpec.Handling;
import io.millrace.workerprotocol.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workers take other code while changes flow. */
@Timeout(240)
class CodeSwapTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String OTHER = "function OnUpdate(doc, meta) { other; }";

    private final Fixture fixture = new Fixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private static FunctionSpec other(FunctionSpec spec, String code) {
        return spec.withVersion(spec.version() + 1).withCode(code);
    }

    private void awaitHandled(int count) {
        await().atMost(PATIENCE).until(() -> fixture.workers.handled().size() >= count);
    }

    @Test
    void swap_whileChangesFlow_losesAndRepeatsNothing() {
        FunctionSpec spec = Fixture.with(Fixture.spec(), changes -> changes.size(2, 2));
        fixture.supervisor().start(spec).join();
        List<String> before = fixture.putMany("before", 500);

        fixture.supervisor().swap(other(spec, OTHER)).join();
        List<String> after = fixture.putMany("after", 500);

        awaitHandled(1000);
        assertThat(fixture.workers.handledIds())
                .hasSize(1000)
                .doesNotHaveDuplicates()
                .containsAll(before)
                .containsAll(after);
        assertThat(fixture.workers.living())
                .hasSize(2)
                .allMatch(life -> life.code().equals(OTHER) && life.number() == 1);
    }

    @Test
    void codeThatCannotRun_isRejectedAndTheOldOneGoesOn_alsoInASuccessor() {
        FunctionSpec spec = Fixture.spec();
        fixture.supervisor().start(spec).join();

        assertThatThrownBy(() ->
                        fixture.supervisor().swap(other(spec, "syntax error")).join())
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        DeployRejected.class,
                        rejected -> assertThat(rejected.line()).isEqualTo(3));

        fixture.putMany("after", 10);
        awaitHandled(10);
        fixture.workers.living().forEach(life -> life.kill());
        await().atMost(PATIENCE)
                .until(() -> fixture.workers.living().stream()
                        .anyMatch(life -> life.number() == 2 && life.code().equals(spec.code())));
    }

    @Test
    void successorOfAWorkerThatHasSwapped_runsTheNewCode() {
        FunctionSpec spec = Fixture.spec();
        fixture.supervisor().start(spec).join();
        fixture.supervisor().swap(other(spec, OTHER)).join();

        fixture.workers.living().forEach(life -> life.kill());

        await().atMost(PATIENCE)
                .until(() -> fixture.workers.living().stream()
                        .anyMatch(life -> life.number() == 2 && life.code().equals(OTHER)));
    }

    @Test
    void workerThatEndsWhileItSwaps_failsTheSwapAndIsReplacedWithTheOldCode() {
        FunctionSpec spec = Fixture.spec();
        fixture.supervisor().start(spec).join();

        assertThatThrownBy(() -> fixture.supervisor().swap(other(spec, "kills")).join())
                .isInstanceOf(CompletionException.class)
                .cause()
                .isNotInstanceOf(DeployRejected.class);

        await().atMost(PATIENCE)
                .until(() -> fixture.workers.living().stream()
                        .anyMatch(life -> life.number() == 2 && life.code().equals(spec.code())));
    }

    @Test
    void deadLetters_nameTheVersionThatFailed() {
        FunctionSpec spec = Fixture.spec()
                .withHandling(new Handling(0, Duration.ofSeconds(1), Duration.ofSeconds(1), 10, false, false));
        fixture.workers.handling((event, life) -> new Outcome(Outcome.Result.THREW, 1, "Error: no", 1, 1));
        fixture.supervisor().start(spec).join();
        fixture.putMany("before", 1);
        await().atMost(PATIENCE).until(() -> letters(spec).size() == 1);

        fixture.supervisor().swap(other(spec, OTHER)).join();
        fixture.putMany("after", 1);

        await().atMost(PATIENCE).until(() -> letters(spec).size() == 2);
        assertThat(letters(spec)).extracting(DeadLetter::version).containsExactlyInAnyOrder(1L, 2L);
    }

    private List<DeadLetter> letters(FunctionSpec spec) {
        return fixture.deadLetters.list(spec.checkpoints(), Long.MAX_VALUE, 10).join().stream()
                .map(DeadLetterStore.Kept::letter)
                .toList();
    }
}
