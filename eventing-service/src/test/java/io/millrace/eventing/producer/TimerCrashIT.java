package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.eventing.consumer.Placement.Isolation;
import io.millrace.eventing.timers.TimerGroups;
import io.millrace.testkit.OwnRedis;
import io.millrace.timers.TimerStore.TimerCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TimerGroups that fall due while a worker is killed, Redis is killed, another node takes the function over from one that
 * goes on as if nothing was, or the whole node is killed: each is fired, none early, and none twice except those within
 * the window of a crash.
 *
 * <p>The full number is left out of the build unless it is asked for: {@code -Dtests.excluded=none}.
 */
@Timeout(900)
class TimerCrashIT {

    private static final Logger LOG = LoggerFactory.getLogger(TimerCrashIT.class);

    /** The timers of some seconds from doc.n on; writes ten times how often each was fired, plus one if ever early. */
    private static final String CODE = """
        function OnUpdate(doc, meta) {
          const due = doc.n * 1000 + Number(meta.id.substring(1)) %% 1000 * %d;
          createTimer(fired, new Date(due), meta.id, {id: meta.id, due: due});
        }
        function fired(context) {
          const early = Date.now() < context.due;
          const before = target[context.id] ?? {n: 0};
          target[context.id] = {n: before.n + 10 + (early ? 1 : 0)};
        }
        """;

    /** How many timers may be under way between a node and its workers: see TimerFiring. */
    private static final int WINDOW = 2000;

    private static final int CRASHES = 3;

    /** The first worker has a process of its own, the second one shares that of the tests. */
    @Test
    void crashes_while1500TimersFallDue_loseNoneAndFireNoneEarly() {
        crashesLoseNoneAndFireNoneEarly(Isolation.PROCESS, 1500, Duration.ofSeconds(2), Duration.ofMinutes(2));
    }

    @Test
    @Tag("long")
    void crashesOfASharedProcess_while1500TimersFallDue_loseNoneAndFireNoneEarly() {
        crashesLoseNoneAndFireNoneEarly(Isolation.SHARED, 1500, Duration.ofSeconds(2), Duration.ofMinutes(2));
    }

    @Test
    @Tag("long")
    void crashes_while50000TimersFallDue_loseNoneAndFireNoneEarly() {
        crashesLoseNoneAndFireNoneEarly(Isolation.SHARED, 50_000, Duration.ofSeconds(30), Duration.ofMinutes(10));
    }

    @Test
    void nodeKilled_while1500TimersFallDue_losesNoneAndFiresNoneEarly() throws Exception {
        nodeKilled(1500, 3, Duration.ofSeconds(2), Duration.ofMinutes(2));
    }

    @Test
    @Tag("long")
    void nodeKilled_while50000TimersFallDue_losesNoneAndFiresNoneEarly() throws Exception {
        nodeKilled(50_000, 10, Duration.ofSeconds(30), Duration.ofMinutes(10));
    }

    /** The killed node is started again, so that it need not wait for the end of its own lease. */
    private static void nodeKilled(int count, int seconds, Duration lead, Duration patience) throws Exception {
        String name = "timer-crash-" + UUID.randomUUID();
        String code = CODE.formatted(seconds);
        ConditionFactory waiting = await().atMost(patience);
        try (OwnRedis redis = OwnRedis.startDurable();
                RealWorkers again = new RealWorkers(redis.url(), name);
                NodeProcess node = NodeProcess.start(redis.url(), name, "node", code)) {
            waiting.until(() -> !again.owners().isEmpty());
            int due = (int) Instant.now().plus(lead).getEpochSecond();
            again.write(count, due, due);
            waiting.until(() -> again.results().size() >= count * 3 / 10);
            assertThat(node.alive()).isTrue();
            List<ProcessHandle> workers = node.workers();
            assertThat(workers).isNotEmpty();
            node.kill9();
            int left = count - again.results().size();
            waiting.until(() -> workers.stream().noneMatch(ProcessHandle::isAlive));
            again.start(code);

            waiting.until(() -> counts(again).equals(new TimerCounts(0, 0, 0)));
            Map<String, Integer> results = again.results();
            long twice = results.values().stream().filter(n -> n / 10 > 1).count();
            LOG.info("event=node_killed timers={} left={} fired_more_than_once={}", count, left, twice);
            assertThat(results).hasSize(count);
            assertThat(results).allSatisfy((id, n) -> assertThat(n % 10).as(id).isZero());
            assertThat(results).allSatisfy((id, n) -> assertThat(n / 10).as(id).isLessThanOrEqualTo(2));
            assertThat(twice).isLessThanOrEqualTo(WINDOW);
        }
    }

    /** @param killed the isolation of the worker that is killed */
    private static void crashesLoseNoneAndFireNoneEarly(Isolation killed, int count, Duration lead, Duration patience) {
        String name = "timer-crash-" + UUID.randomUUID();
        ConditionFactory waiting = await().atMost(patience).ignoreExceptions();
        try (OwnRedis redis = OwnRedis.startDurable();
                RealWorkers first = new RealWorkers(redis.url(), name).isolation(killed);
                RealWorkers second = new RealWorkers(redis.url(), name, "node2")) {
            first.start(CODE.formatted(10));
            int due = (int) Instant.now().plus(lead).getEpochSecond();
            first.write(count, due, due);
            waiting.until(() -> first.stats().backlog() == 0);

            waiting.until(() -> counts(first).pending() < count * 9 / 10);
            long pid = first.pid();
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
            waiting.until(() -> first.pid() != pid && first.pid() != 0);
            waiting.until(() -> counts(first).pending() < count * 7 / 10);
            redis.kill9();
            redis.restart();
            waiting.until(() -> counts(second).pending() < count * 5 / 10);
            first.forgetLease();
            second.start(CODE.formatted(10));

            waiting.until(() -> counts(second).equals(new TimerCounts(0, 0, 0)));
            Map<String, Integer> results = second.results();
            long twice = results.values().stream().filter(n -> n / 10 > 1).count();
            LOG.info("event=timer_crashes timers={} fired_more_than_once={}", count, twice);
            assertThat(results).hasSize(count);
            assertThat(results).allSatisfy((id, n) -> assertThat(n % 10).as(id).isZero());
            assertThat(twice).isLessThanOrEqualTo(CRASHES * WINDOW);
        }
    }

    private static TimerCounts counts(RealWorkers workers) {
        return workers.timers().counts(TimerGroups.group(workers.spec(""))).join();
    }
}
