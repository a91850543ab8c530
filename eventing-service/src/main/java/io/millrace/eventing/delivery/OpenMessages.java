package io.millrace.eventing.delivery;

import io.millrace.documents.VBuckets;
import io.millrace.eventing.consumer.Backoff;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.FunctionSpec.FeedBoundary;
import io.millrace.eventing.runtime.Retry;
import io.millrace.eventing.runtime.StopSignal;
import io.millrace.eventing.runtime.TopicMessages;
import io.millrace.eventing.topics.TopicStore;
import io.millrace.eventing.topics.TopicStore.Beginning;
import io.millrace.eventing.topics.TopicStore.Entry;
import io.millrace.eventing.topics.TopicStore.Given;
import io.millrace.rebalance.VbucketSet;
import io.millrace.redis.RedisFailure;
import io.millrace.workerprotocol.Event;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands out the messages of a topic. The node that owns the topic's vbucket reads it and is first given again what was not
 * acknowledged before. Messages of one key are handed out one after the other, each when the one before is handled or a dead
 * letter; then it is acknowledged. Thread-safe.
 */
final class OpenMessages implements OpenTopic {

    private static final Logger LOG = LoggerFactory.getLogger(OpenMessages.class);

    /** Behind no entry. */
    private static final String START = "0";

    private static final Duration SHORTEST_LOOK = Duration.ofMillis(10);
    private static final Duration LONGEST_LOOK = Duration.ofMillis(200);
    private static final Duration MEASURED_EACH = Duration.ofSeconds(1);

    /**
     * A message that is not handled yet.
     *
     * @param key a message without a key is its own key
     * @param weight the bytes of room that it takes
     */
    private record Open(String key, int weight) {}

    private final FunctionSpec spec;
    private final Delivery.Shared shared;
    private final TopicStore store;
    private final String topic;
    private final String group;
    private final Route route;
    private final List<Integer> vbuckets;
    private final boolean reads;
    private final StopSignal stop;
    private final BooleanSupplier gate;
    private final Retry retry;

    /** Bytes of messages that may be opened; a message takes so many that both limits hold. */
    private final Semaphore room = new Semaphore(HandlingLimits.MAX_OPEN_MESSAGE_BYTES);

    private @Nullable Thread reader;
    /** When the latest message that was read was added, or this began, in milliseconds since 1970. */
    private volatile long reached;

    private int pageMessages = HandlingLimits.FIRST_MESSAGES_READ;
    private volatile long unread;
    private long measuredNanos;

    // guarded by this
    /** The messages that are open, by the ids of their entries. */
    private final Map<String, Open> open = new HashMap<>();

    /** The messages that wait for an open one of their key. */
    private final Map<String, Deque<Event>> waiting = new HashMap<>();

    /** What is not acknowledged yet. */
    private final Set<String> handled = new LinkedHashSet<>();

    /** @param gate whether messages may be handed out now */
    OpenMessages(Delivery.Shared shared, Route route, VbucketSet share, StopSignal stop, BooleanSupplier gate) {
        this.spec = shared.spec();
        this.shared = shared;
        this.store = shared.environment().topics();
        this.topic = spec.source().topic();
        this.group = TopicMessages.group(spec);
        this.route = route;
        this.vbuckets = share.stream().boxed().toList();
        this.reads = share.contains(VBuckets.of(topic));
        this.unread = reads ? 1 : 0; // until it is known
        this.reached = shared.environment().clock().millis();
        this.stop = stop;
        this.gate = gate;
        this.retry = new Retry(spec.name(), stop, shared.environment().settings());
    }

    @Override
    public void start() {
        if (reads) {
            reader = Thread.ofVirtual().name(spec.name() + "-topic").start(this::run);
        }
    }

    private void run() {
        try {
            join();
            if (given()) {
                follow();
            }
        } catch (InterruptedException | CancellationException end) {
            LOG.debug("event=topic_left function={} topic={}", spec.name(), topic);
        } catch (Throwable failure) {
            shared.broken().completeExceptionally(failure);
        }
    }

    private void join() throws InterruptedException {
        retry.call("join_topic", () -> TopicMessages.join(spec, store));
    }

    /** Hands out everything that the group was given and that is not here; false when the delivery ends. */
    private boolean given() throws InterruptedException {
        String after = START;
        while (true) {
            String from = after;
            List<Entry> page = retry.call("read_topic", () -> store.unacknowledged(topic, group, from, pageMessages));
            if (page.isEmpty()) {
                return true;
            }
            if (!handOut(page)) {
                return false;
            }
            after = page.getLast().id();
        }
    }

    private void follow() throws InterruptedException {
        Backoff pauses = new Backoff(SHORTEST_LOOK, LONGEST_LOOK);
        while (!stop.stopped()) {
            acknowledge();
            measure();
            Given next = retry.call("read_topic", this::next);
            if (!taken(next)) {
                return;
            }
            if (!next.entries().isEmpty()) {
                pauses.reset();
            } else if (stop.await(pauses.next())) {
                return;
            }
        }
    }

    /**
     * Hands out what the group was given. If that is more than this answer has, an earlier answer was lost; if it is less, Redis
     * has lost what it knew of the group.
     */
    private boolean taken(Given next) throws InterruptedException {
        if (next.pending() != here() + next.entries().size()) {
            LOG.info("event=messages_read_again function={} topic={} pending={}", spec.name(), topic, next.pending());
            return given();
        }
        return next.entries().isEmpty() || handOut(next.entries());
    }

    /** Returns how many messages are here that are not acknowledged. */
    private synchronized int here() {
        return open.size() + handled.size();
    }

    /** A Redis that lost its data has lost the group; what was published since is behind its start. */
    private CompletableFuture<Given> next() {
        return store.next(topic, group, pageMessages).exceptionallyCompose(failure -> {
            var unknown = CompletableFuture.<Given>failedFuture(failure);
            boolean lost =
                    String.valueOf(RedisFailure.unwrap(failure).getMessage()).startsWith("NOGROUP");
            return lost
                    ? store.join(topic, group, new Beginning.Since(boundary())).thenCompose(joined -> unknown)
                    : unknown;
        });
    }

    private void adaptPage(List<Entry> page) {
        long bytes = page.stream().mapToLong(OpenMessages::bytes).sum();
        long each = Math.max(1, bytes / page.size());
        pageMessages =
                (int) Math.clamp(HandlingLimits.MESSAGE_BYTES_PER_PAGE / each, 1, HandlingLimits.MESSAGES_PER_PAGE);
    }

    private static long bytes(Entry entry) {
        return entry.fields().values().stream().mapToLong(value -> value.length).sum();
    }

    private static int weight(Entry entry) {
        int least = HandlingLimits.MAX_OPEN_MESSAGE_BYTES / HandlingLimits.MAX_OPEN_MESSAGES;
        return (int) Math.clamp(bytes(entry), least, HandlingLimits.MAX_OPEN_MESSAGE_BYTES);
    }

    /** Returns where a group begins that was lost: old messages must not come to a function that began behind them. */
    private long boundary() {
        return spec.source().boundary() == FeedBoundary.FROM_NOW
                ? reached
                : spec.source().after();
    }

    private boolean handOut(List<Entry> page) throws InterruptedException {
        adaptPage(page);
        reached = page.getLast().millis();
        while (!gate.getAsBoolean()) {
            if (stop.await(shared.environment().settings().firstRetry())) {
                return false;
            }
        }
        Map<Integer, List<Event>> byLane = new HashMap<>();
        for (Entry entry : page) {
            if (isHere(entry)) {
                continue;
            }
            if (entry.fields().isEmpty()) {
                LOG.warn("event=message_removed function={} topic={} entry={}", spec.name(), topic, entry.id());
                remember(List.of(entry.id()));
                continue;
            }
            int weight = weight(entry);
            if (!room.tryAcquire(weight)) {
                submit(byLane);
                acknowledge();
                room.acquire(weight);
            }
            if (stop.stopped()) {
                return false;
            }
            Event event = opened(entry, weight);
            if (event != null) {
                byLane.computeIfAbsent(route.laneOf(event.vbucket()), lane -> new ArrayList<>())
                        .add(event);
            }
        }
        return submit(byLane);
    }

    private synchronized boolean isHere(Entry entry) {
        return open.containsKey(entry.id()) || handled.contains(entry.id());
    }

    private synchronized void remember(List<String> ids) {
        handled.addAll(ids);
    }

    /** Returns the message if it can be handed out now, or null if it waits for another one of its key. */
    private synchronized @Nullable Event opened(Entry entry, int weight) {
        String key = TopicMessages.key(entry);
        String name = key == null ? "entry " + entry.id() : "key " + key;
        int vbucket = vbuckets.get(Math.floorMod(name.hashCode(), vbuckets.size()));
        Event event = TopicMessages.event(topic, entry, vbucket);
        open.put(entry.id(), new Open(name, weight));
        Deque<Event> others = waiting.get(name);
        if (others != null) {
            others.addLast(event);
            return null;
        }
        waiting.put(name, new ArrayDeque<>());
        return event;
    }

    private boolean submit(Map<Integer, List<Event>> byLane) throws InterruptedException {
        for (Map.Entry<Integer, List<Event>> each : byLane.entrySet()) {
            if (!submit(each.getKey(), each.getValue())) {
                return false;
            }
        }
        byLane.clear();
        return true;
    }

    private boolean submit(int lane, List<Event> events) throws InterruptedException {
        return shared.consumers().ofLane(lane).submit(route.threadOfLane(lane), events, System.nanoTime());
    }

    @Override
    public void ended(Event event) {
        Open message;
        Event next;
        synchronized (this) {
            message = open.remove(event.id());
            if (message == null) {
                return;
            }
            handled.add(event.id());
            Deque<Event> others = waiting.get(message.key());
            next = others == null ? null : others.pollFirst();
            if (next == null) {
                waiting.remove(message.key());
            }
        }
        room.release(message.weight());
        if (next != null && !stop.stopped()) {
            Thread.startVirtualThread(() -> handOn(next));
        }
    }

    /** Nothing waits for this, so the consumer may serve the next delivery by now. */
    private void handOn(Event next) {
        int lane = route.laneOf(next.vbucket());
        try {
            shared.consumers()
                    .ofLane(lane)
                    .submit(route.threadOfLane(lane), List.of(next), System.nanoTime(), () -> !stop.stopped());
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    private void acknowledge() throws InterruptedException {
        List<String> ids = takeHandled();
        if (!ids.isEmpty()) {
            try {
                retry.call("acknowledge_messages", () -> store.acknowledge(topic, group, ids));
            } catch (CancellationException end) {
                remember(ids);
                throw end;
            }
        }
    }

    private synchronized List<String> takeHandled() {
        List<String> ids = List.copyOf(handled);
        handled.clear();
        return ids;
    }

    private void measure() throws InterruptedException {
        long now = System.nanoTime();
        if (measuredNanos == 0 || now - measuredNanos > MEASURED_EACH.toNanos()) {
            unread = retry.call("measure_topic", () -> store.unread(topic, group));
            measuredNanos = now;
        }
    }

    @Override
    public synchronized long held() {
        return unread + waiting.values().stream().mapToLong(Deque::size).sum();
    }

    @Override
    public void close() {
        room.release(HandlingLimits.MAX_OPEN_MESSAGE_BYTES); // for the reader
    }

    @Override
    public void awaitEnd() throws InterruptedException {
        if (reader == null) {
            return;
        }
        reader.join();
        List<String> ids = takeHandled();
        if (ids.isEmpty()) {
            return;
        }
        try {
            store.acknowledge(topic, group, ids)
                    .get(shared.environment().settings().lastSaveTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("event=messages_not_acknowledged function={} reason=\"{}\"", spec.name(), e.toString());
        }
    }
}
