package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.eventing.runtime.Membership;
import io.millrace.rebalance.Layout;
import io.millrace.rebalance.VbucketSet;
import io.millrace.testkit.FlakyProxy;
import io.millrace.testkit.RedisFixture;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two nodes with real workers on one Redis. */
@Timeout(600)
class RebalanceIT {

    private static final int DOCUMENTS = 500;
    private static final int ROUNDS = 10;
    private static final String COPY = "function OnUpdate(doc, meta) { target[meta.id] = {n: doc.n}; }";

    @Test
    void nodesThatComeAndGoUnderLoad_handleEveryLastStateAndNeverStepBack() {
        AtomicReference<Layout> layout = new AtomicReference<>(Layout.contiguous("1", List.of("a")));
        Membership shared = () -> Objects.requireNonNull(layout.get());
        String name = name();
        try (RealWorkers a = new RealWorkers(RedisFixture.url(), name, "a", shared);
                RealWorkers b = new RealWorkers(RedisFixture.url(), name, "b", shared)) {
            a.start(COPY);
            b.start(COPY);
            List<String> stepsBack = a.watchForStepsBack();
            CompletableFuture<Void> writing =
                    CompletableFuture.runAsync(() -> a.write(DOCUMENTS, 1, ROUNDS), Thread::startVirtualThread);

            layout.set(Layout.contiguous("2", List.of("a", "b")));
            patiently().until(() -> owns(a, "0-511") && owns(b, "512-1023"));
            layout.set(Layout.contiguous("3", List.of("b")));
            patiently().until(() -> owns(a, "") && owns(b, "0-1023"));
            writing.join();

            patiently().until(() -> finished(a));
            assertThat(a.results()).hasSize(DOCUMENTS);
            assertThat(stepsBack).isEmpty();
            assertThat(a.owners()).containsExactly("b");
        }
    }

    @Test
    void nodeWhoseLeaseHasEnded_isRefusedAndLosesNothingForTheOther() {
        String name = name();
        try (RealWorkers zombie = new RealWorkers(RedisFixture.url(), name, "zombie");
                RealWorkers heir = new RealWorkers(RedisFixture.url(), name, "heir")) {
            zombie.start(COPY);
            zombie.write(DOCUMENTS, 1, 1);
            patiently().until(() -> zombie.results().size() == DOCUMENTS);

            zombie.forgetLease();
            heir.start(COPY);
            assertThat(heir.owners()).containsExactly("heir");
            heir.write(1, 2, 2);

            patiently()
                    .until(() ->
                            zombie.log.stream().anyMatch(line -> line.contains("were taken over by another node")));
            heir.write(DOCUMENTS, 3, ROUNDS);
            patiently().until(() -> finished(heir));
            assertThat(heir.owners()).containsExactly("heir");
            assertThat(heir.supervisor().owned()).containsEntry("f", VbucketSet.range(0, 1023));
        }
    }

    @Test
    void nodeThatCannotReachRedis_endsItsWorkersAndWritesNothingLate() {
        AtomicReference<Layout> layout = new AtomicReference<>(Layout.contiguous("1", List.of("cut", "heir")));
        Membership shared = () -> Objects.requireNonNull(layout.get());
        String name = name();
        try (FlakyProxy way = FlakyProxy.to(RedisFixture.host(), RedisFixture.port());
                RealWorkers cut = new RealWorkers(way.redisUrl(), name, "cut", shared);
                RealWorkers heir = new RealWorkers(RedisFixture.url(), name, "heir", shared)) {
            cut.start(COPY);
            heir.start(COPY);
            patiently().until(() -> owns(cut, "0-511") && owns(heir, "512-1023"));
            List<String> stepsBack = heir.watchForStepsBack();
            heir.write(DOCUMENTS, 1, ROUNDS / 2);

            way.partition();
            layout.set(Layout.contiguous("2", List.of("heir")));
            heir.write(DOCUMENTS, ROUNDS / 2 + 1, ROUNDS);
            patiently().until(() -> owns(heir, "0-1023") && finished(heir));
            patiently()
                    .until(() -> cut.log.stream().anyMatch(line -> line.contains("as long as the lease of this node")));
            way.heal();
            layout.set(Layout.contiguous("3", List.of("cut", "heir")));
            patiently().until(() -> owns(cut, "0-511") && owns(heir, "512-1023"));

            assertThat(finished(heir)).isTrue();
            assertThat(stepsBack).isEmpty();
            assertThat(heir.owners()).containsExactly("cut", "heir");
        }
    }

    private static boolean owns(RealWorkers node, String share) {
        return node.supervisor()
                .owned()
                .getOrDefault("f", VbucketSet.NONE)
                .toString()
                .equals(share);
    }

    private static boolean finished(RealWorkers node) {
        return node.results().values().stream().filter(n -> n == ROUNDS).count() == DOCUMENTS;
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofMinutes(4));
    }

    private static String name() {
        return "rebalance-" + UUID.randomUUID();
    }
}
