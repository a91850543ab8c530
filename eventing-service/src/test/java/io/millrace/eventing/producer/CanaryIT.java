package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.VBuckets;
import io.millrace.eventing.runtime.CanarySpec;
import io.millrace.eventing.runtime.Membership;
import io.millrace.rebalance.Layout;
import io.millrace.rebalance.VbucketSet;
import io.millrace.testkit.RedisFixture;
import io.millrace.workerprotocol.LineInsight;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two nodes with real workers and a canary on one Redis. */
@Timeout(600)
class CanaryIT {

    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final int DOCUMENTS = 1000;
    private static final VbucketSet SHARE = VbucketSet.of(IntStream.range(0, 16).map(i -> i * VBuckets.COUNT / 16));
    private static final String STABLE =
            "function OnUpdate(doc, meta) { couchbase.increment(target, {id: 'stable ' + meta.id}); }";
    private static final String CANARY =
            "function OnUpdate(doc, meta) { couchbase.increment(target, {id: 'canary ' + meta.id}); throw 'on purpose'; }";

    @Test
    void nodeThatJoinsDuringACanary_hasItsShareOfIt_andEveryChangeIsHandledOnce() {
        AtomicReference<Layout> layout = new AtomicReference<>(Layout.contiguous("1", List.of("a")));
        Membership shared = () -> Objects.requireNonNull(layout.get());
        String name = "canary-" + UUID.randomUUID();
        try (RealWorkers a = new RealWorkers(RedisFixture.url(), name, "a", shared);
                RealWorkers b = new RealWorkers(RedisFixture.url(), name, "b", shared)) {
            a.start(STABLE);
            b.start(STABLE);
            begin(a);
            begin(b);
            CompletableFuture<List<String>> writing =
                    CompletableFuture.supplyAsync(() -> a.create("x", DOCUMENTS), Thread::startVirtualThread);
            layout.set(Layout.contiguous("2", List.of("a", "b")));
            patiently(() -> owned(a).equals("0-511") && owned(b).equals("512-1023"));
            List<String> all = new ArrayList<>(writing.join());
            awaitHandled(a, all);
            patiently(() -> hasWorkers(a, 2) && hasWorkers(b, 2));

            all.addAll(a.create("y", DOCUMENTS));
            awaitHandled(a, all);
            assertThat(a.supervisor().canaryReport("f").orElseThrow().canary().effects())
                    .containsEntry("timers", 0L)
                    .hasEntrySatisfying("writes", count -> assertThat(count).isPositive());
            patiently(() -> errors(a, 2) > 0);
            assertThat(errors(a, 1)).as("of the version that does not fail").isZero();

            a.supervisor().canary("f", null).join();
            b.supervisor().canary("f", null).join();
            all.addAll(a.create("z", DOCUMENTS));
            awaitHandled(a, all);

            Map<String, Integer> handled = a.results();
            assertThat(handled.values()).as("each change once").containsOnly(1);
            List<String> byCanary = all.stream()
                    .filter(id -> handled.containsKey("canary " + id))
                    .toList();
            assertThat(byCanary).allMatch(CanaryIT::isOfShare).noneMatch(id -> id.startsWith("z"));
            assertThat(byCanary)
                    .as("all of the share, but for what a new owner has handled before its canary was ready")
                    .containsAll(all.stream()
                            .filter(CanaryIT::isOfShare)
                            .filter(id -> id.startsWith("y") || id.startsWith("x") && VBuckets.of(id) < 512)
                            .toList());
            assertThat(failures(a) + failures(b)).isEqualTo(byCanary.size());
            assertThat(handled).hasSize(all.size());
        }
    }

    /** Returns how many errors ended in lines of a version on a node. */
    private static long errors(RealWorkers node, long version) {
        return node.supervisor().insight("f").stream()
                .filter(insight -> insight.version() == version)
                .flatMap(insight -> insight.lines().stream())
                .mapToLong(LineInsight::errors)
                .sum();
    }

    private static void begin(RealWorkers node) {
        node.supervisor()
                .canary("f", new CanarySpec(node.spec(CANARY).withVersion(2), SHARE))
                .join();
    }

    private static boolean isOfShare(String id) {
        return SHARE.contains(VBuckets.of(id));
    }

    private static boolean hasWorkers(RealWorkers node, int count) {
        return node.stats().workers().size() == count;
    }

    private static String owned(RealWorkers node) {
        return node.supervisor().owned().getOrDefault("f", VbucketSet.NONE).toString();
    }

    private static void awaitHandled(RealWorkers node, List<String> ids) {
        patiently(() -> node.results().keySet().stream()
                .map(id -> id.split(" ")[1])
                .collect(Collectors.toSet())
                .containsAll(ids));
    }

    private static long failures(RealWorkers node) {
        return node.stats().execution().getOrDefault("on_update_failure", 0L);
    }

    private static void patiently(Callable<Boolean> condition) {
        await().atMost(PATIENCE).until(condition);
    }
}
