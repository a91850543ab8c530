package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.VBuckets;
import io.millrace.eventing.runtime.CanaryReport;
import io.millrace.eventing.runtime.CanarySpec;
import io.millrace.eventing.runtime.DeployRejected;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.FunctionSpec.Handling;
import io.millrace.rebalance.VbucketSet;
import io.millrace.workerprotocol.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A version handles a share of the vbuckets while changes flow. */
@Timeout(240)
class CanaryDeliveryTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String OTHER = "function OnUpdate(doc, meta) { other; }";
    private static final VbucketSet SHARE = VbucketSet.of(IntStream.range(0, 16).map(i -> i * VBuckets.COUNT / 16));

    private final Fixture fixture = new Fixture();
    private final Set<String> byCanary = ConcurrentHashMap.newKeySet();
    private final FunctionSpec spec = Fixture.with(Fixture.spec(), changes -> changes.size(2, 2))
            .withHandling(new Handling(0, Duration.ofSeconds(1), Duration.ofSeconds(1), 1000, false, false));

    @AfterEach
    void close() {
        fixture.close();
    }

    /** The canary fails on everything. */
    private void start() {
        start(spec);
    }

    private void start(FunctionSpec function) {
        fixture.workers.handling((event, life) -> {
            if (life.code().equals(OTHER)) {
                byCanary.add(event.id());
                return new Outcome(Outcome.Result.THREW, 1, "Error: on purpose", 1, 1);
            }
            return Outcome.success(10);
        });
        fixture.supervisor().start(function).join();
    }

    private void begin(String code) {
        begin(spec, code);
    }

    private void begin(FunctionSpec function, String code) {
        fixture.supervisor()
                .canary("f", new CanarySpec(function.withCode(code).withVersion(2), SHARE))
                .join();
    }

    private void awaitHandled(int count) {
        await().atMost(PATIENCE).until(() -> fixture.workers.handled().size() >= count);
    }

    private static List<String> ofShare(List<String> ids) {
        return ids.stream().filter(id -> SHARE.contains(VBuckets.of(id))).toList();
    }

    @Test
    void canaryOfOneSixtyFourth_failsOnItsShareOnly_andNothingIsLostOrRepeated() {
        start();
        List<String> all = new ArrayList<>(fixture.putMany("before", 1000));

        begin(OTHER);
        List<String> during = fixture.putMany("during", 2000);
        all.addAll(during);
        awaitHandled(3000);
        CanaryReport report = fixture.supervisor().canaryReport("f").orElseThrow();
        fixture.supervisor().canary("f", null).join();
        all.addAll(fixture.putMany("after", 1000));
        awaitHandled(4000);

        assertThat(fixture.workers.handledIds())
                .hasSize(4000)
                .doesNotHaveDuplicates()
                .containsAll(all);
        assertThat(byCanary).containsAll(ofShare(during)).isSubsetOf(ofShare(all));
        assertThat(byCanary).noneMatch(id -> id.startsWith("after"));
        assertThat(report.canary().failed())
                .isEqualTo(report.canary().handled())
                .isPositive();
        assertThat(report.stable().failed()).isZero();
        await().atMost(PATIENCE).until(() -> fixture.execution("on_update_failure") == byCanary.size());
        assertThat(fixture.execution("on_update_success")).isEqualTo(4000 - byCanary.size());
        await().atMost(PATIENCE).until(() -> letters().size() == byCanary.size());
        assertThat(letters()).containsOnly(2L);
        await().atMost(PATIENCE).until(() -> fixture.workers.living().size() == 2);
    }

    private List<Long> letters() {
        return fixture.deadLetters.list(spec.checkpoints(), Long.MAX_VALUE, 1000).join().stream()
                .map(kept -> kept.letter().version())
                .toList();
    }

    @Test
    void canaryWhoseWorkerEnds_getsAnother_andLosesNothing() {
        start();
        begin(OTHER);
        fixture.putMany("a", 1000);
        fixture.workers.living().stream()
                .filter(life -> life.code().equals(OTHER))
                .forEach(life -> life.kill());
        List<String> later = fixture.putMany("b", 1000);

        await().atMost(PATIENCE).until(() -> fixture.stats().backlog() == 0);
        assertThat(byCanary).containsAll(ofShare(later));
    }

    @Test
    void changesThatWaitForARetryWhenTheCanaryEnds_areRetriedInTheOtherVersion() {
        FunctionSpec patient = spec.withHandling(new Handling(9, PATIENCE, PATIENCE, 1000, false, false));
        start(patient);
        begin(patient, OTHER);
        List<String> waiting = ofShare(fixture.putMany("waits", 1000));
        await().atMost(PATIENCE).until(() -> byCanary.containsAll(waiting));

        fixture.supervisor().canary("f", null).join();

        await().atMost(PATIENCE).until(() -> fixture.execution("on_update_success") == 1000);
        await().atMost(PATIENCE).until(() -> fixture.stats().backlog() == 0);
        assertThat(byCanary).hasSameSizeAs(waiting);
    }

    @Test
    void codeThatCannotRun_isRejected_andTheFunctionIsAsItWas() {
        start();

        assertThatThrownBy(() -> begin("syntax error")).cause().isInstanceOf(DeployRejected.class);

        assertThat(fixture.supervisor().canary("f")).isEmpty();
        fixture.putMany("after", 100);
        awaitHandled(100);
        assertThat(fixture.workers.handledIds()).hasSize(100).doesNotHaveDuplicates();
    }
}
