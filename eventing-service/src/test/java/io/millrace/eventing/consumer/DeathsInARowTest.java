package io.millrace.eventing.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.eventing.consumer.Placement.Isolation;
import io.millrace.eventing.metrics.FunctionCounts;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Outcome;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Functions share a process, and processes die again and again. */
class DeathsInARowTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int DEATHS = 100;
    private static final int INNOCENTS = 20;
    private static final int DEATHS_UNTIL_POISON = quick().poisonDeaths();

    private final FakeWorkers workers = new FakeWorkers().sharingProcesses();
    private final AtomicInteger deaths = new AtomicInteger();
    private final List<Function> innocents = IntStream.range(0, INNOCENTS)
            .mapToObj(n -> new Function("innocent" + n))
            .toList();
    private final Function killer = new Function("killer");

    /** A function, and what became of its events. */
    private final class Function {

        private final Map<Long, Outcome> outcomes = new ConcurrentHashMap<>();
        private final Consumer consumer;
        private long sent;

        private Function(String name) {
            consumer = new Consumer(
                    name,
                    FakeWorkers.setup("", 1),
                    new Placement("", Isolation.SHARED),
                    workers,
                    quick(),
                    FunctionCounts.start(lines -> {}, InstantSource.system()),
                    lines -> {},
                    () -> true,
                    (event, outcome) -> outcomes.put(event.seqno(), outcome));
        }

        private void send() throws InterruptedException {
            sent++;
            Event event = SampleEvents.event(consumer.name() + sent, sent);
            consumer.submit(0, List.of(event), System.nanoTime());
        }

        private boolean done() {
            return outcomes.size() == sent;
        }
    }

    @AfterEach
    void close() {
        innocents.forEach(one -> one.consumer.kill().join());
        killer.consumer.kill().join();
    }

    private void start() {
        CompletableFuture.allOf(Stream.concat(innocents.stream(), Stream.of(killer))
                        .map(one -> one.consumer.start())
                        .toArray(CompletableFuture[]::new))
                .join();
    }

    private void sendToInnocents() throws InterruptedException {
        for (Function one : innocents) {
            one.send();
        }
    }

    private void assertInnocentsLostNothing() {
        await().atMost(PATIENCE).until(() -> innocents.stream().allMatch(Function::done));
        assertThat(innocents)
                .allSatisfy(one -> assertThat(one.outcomes.values()).allMatch(Outcome::ok));
    }

    @Test
    void functionThatEndsItsProcessWithEachEvent_isSetApartAndTheOthersLoseNothing() throws InterruptedException {
        workers.handling((event, life) -> {
            if (life.name().equals("killer")) {
                deaths.incrementAndGet();
                life.killProcess();
                throw new FakeWorkers.Crash();
            }
            return Outcome.success(10);
        });
        start();

        long livesThen = 0;
        while (deaths.get() < DEATHS) {
            if (killer.consumer.apart().isEmpty()) {
                assertInnocentsLostNothing();
                livesThen = livesOfInnocents();
            }
            killer.send();
            sendToInnocents();
            await().atMost(PATIENCE).until(killer::done);
        }

        assertInnocentsLostNothing();
        assertThat(killer.consumer.apart()).contains("twice");
        assertThat(killer.outcomes.values()).noneMatch(Outcome::ok);
        assertThat(livesOfInnocents())
                .as("the killer that is known takes no process of the others with it")
                .isLessThanOrEqualTo(livesThen + DEATHS_UNTIL_POISON * INNOCENTS);
    }

    private long livesOfInnocents() {
        return workers.lives().stream()
                .filter(life -> life.name().startsWith("innocent"))
                .count();
    }

    /** There is no killer: whatever is suspected, no event may be given up. */
    @Test
    void processesThatAreKilledFromOutside_takeNoEventWithThem() throws InterruptedException {
        start();

        for (int death = 0; death < DEATHS; death++) {
            sendToInnocents();
            workers.lives().stream()
                    .filter(life -> life.shared() && life.living())
                    .findAny()
                    .ifPresent(FakeWorkers.Life::killProcess);
            sendToInnocents();
        }

        assertInnocentsLostNothing();
    }

    private static DeliverySettings quick() {
        DeliverySettings usual = DeliverySettings.DEFAULT;
        return new DeliverySettings(
                usual.batchEvents(),
                usual.batchBytes(),
                usual.batchTime(),
                usual.windowBatches(),
                usual.waitingEvents(),
                usual.waitingBytes(),
                usual.startTimeout(),
                usual.answerGrace(),
                usual.silenceTimeout(),
                usual.shutdownTimeout(),
                usual.watchInterval(),
                Duration.ofMillis(1),
                Duration.ofMillis(5),
                usual.poisonDeaths());
    }
}
