package io.millrace.eventing.hosts;

import io.millrace.eventing.consumer.Consumer;
import io.millrace.eventing.consumer.DeliverySettings;
import io.millrace.eventing.consumer.Placement;
import io.millrace.eventing.consumer.Placement.Isolation;
import io.millrace.eventing.metrics.FunctionCounts;
import io.millrace.testkit.RedisFixture;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.HandlerSettings;
import io.millrace.workerprotocol.LogLine;
import io.millrace.workerprotocol.Outcome;
import io.millrace.workerprotocol.WorkerSetup;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** A function in a worker process, and what became of the events that a test sent it. */
final class Inhabitant implements AutoCloseable {

    final Consumer consumer;
    final Queue<String> log = new ConcurrentLinkedQueue<>();
    private final Map<String, Outcome> outcomes = new ConcurrentHashMap<>();
    private final Map<String, Long> sentNanos = new ConcurrentHashMap<>();
    private final AtomicLong longestNanos = new AtomicLong();
    private final AtomicLong repeated = new AtomicLong();
    private long sent;

    Inhabitant(WorkerHosts hosts, String name, Placement placement, String bucket, String code) {
        this(hosts, name, placement, bucket, code, Duration.ofMinutes(1));
    }

    /** @param limit how long an invocation may take */
    Inhabitant(WorkerHosts hosts, String name, Placement placement, String bucket, String code, Duration limit) {
        consumer = new Consumer(
                name,
                new WorkerSetup(
                        name,
                        name,
                        new WorkerSetup.Source(code, List.of("'use strict';"), List.of(), "7.2.0", false),
                        new WorkerSetup.Limits(1, limit.toMillis(), 64L << 20),
                        "INFO",
                        "source",
                        RedisFixture.url(),
                        List.of(new WorkerSetup.Alias("dst", bucket, "_default", "_default", true)),
                        HandlerSettings.STANDARD),
                placement,
                hosts,
                DeliverySettings.DEFAULT,
                FunctionCounts.start(this::logged, InstantSource.system()),
                this::logged,
                () -> true,
                this::acknowledged);
    }

    static Placement shared() {
        return new Placement("", Isolation.SHARED);
    }

    private void logged(List<LogLine> lines) {
        lines.forEach(line -> log.add(line.text()));
    }

    private void acknowledged(Event event, Outcome outcome) {
        long since = System.nanoTime() - sentNanos.getOrDefault(event.id(), System.nanoTime());
        longestNanos.accumulateAndGet(since, Math::max);
        if (outcomes.put(event.id(), outcome) != null) {
            repeated.incrementAndGet();
        }
    }

    /** Sends an event with a new document. */
    void send(String body) throws InterruptedException {
        String id = consumer.name() + "-" + ++sent;
        sentNanos.put(id, System.nanoTime());
        Event event = new Event(
                Event.Kind.MUTATION,
                new Event.Key("_default", "_default", id, 7),
                new Event.Version(sent, sent, 0),
                new Event.Content(0, 0, false, body.getBytes(StandardCharsets.UTF_8), null, null));
        consumer.submit(0, List.of(event), System.nanoTime());
    }

    /** Returns whether every event that was sent has an outcome. */
    boolean done() {
        return outcomes.size() == sent;
    }

    List<Outcome> failures() {
        return outcomes.values().stream().filter(outcome -> !outcome.ok()).toList();
    }

    /** Returns how many outcomes came for events that had one. */
    long repeated() {
        return repeated.get();
    }

    long sent() {
        return sent;
    }

    /** Returns how long an event waited at most for its outcome. */
    long longestMillis() {
        return longestNanos.get() / 1_000_000;
    }

    /** Forgets how long events have waited so far. */
    void forgetWaits() {
        longestNanos.set(0);
    }

    @Override
    public void close() {
        consumer.kill().join();
    }
}
