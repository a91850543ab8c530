package io.millrace.eventing.delivery;

import io.millrace.documents.VBuckets;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.StopSignal;
import io.millrace.eventing.runtime.TopicMessages;
import io.millrace.eventing.topics.Channels;
import io.millrace.rebalance.VbucketSet;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.LogLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands out the messages of a channel. The node that owns the topic's vbucket listens. Messages wait here until a worker takes
 * them; what comes while too many wait is dropped, and so is what waits at the end. That is counted, as are interruptions of the
 * connection, in which an unknown number of messages is lost.
 */
final class OpenChannel implements OpenTopic, Channels.Listener {

    private static final Logger LOG = LoggerFactory.getLogger(OpenChannel.class);

    private static final Duration LOOK_EACH = Duration.ofSeconds(1);

    /** A message with the time at which it arrived. */
    private record Arrived(byte[] content, long millis) {}

    private final FunctionSpec spec;
    private final Delivery.Shared shared;
    private final String topic;
    private final Route route;
    private final List<Integer> vbuckets;
    private final boolean listens;
    private final StopSignal stop;
    private final BooleanSupplier gate;
    private final LongAdder dropped;
    private final LongAdder gaps;

    private final BlockingQueue<Arrived> waiting =
            new LinkedBlockingQueue<>(HandlingLimits.MAX_WAITING_CHANNEL_MESSAGES);
    private final AtomicLong waitingBytes = new AtomicLong();
    private final AtomicLong droppedUnsaid = new AtomicLong();
    private final AtomicLong gapsUnsaid = new AtomicLong();
    private final AtomicReference<@Nullable String> refusal = new AtomicReference<>();
    private final Semaphore places = new Semaphore(HandlingLimits.MAX_OPEN_MESSAGES);
    private final Set<String> open = ConcurrentHashMap.newKeySet();
    private Channels.@Nullable Subscription subscription;
    private @Nullable Thread sender;
    private volatile boolean heard;

    // of the sender alone
    private long number;
    private long saidNanos;

    /** @param gate whether messages may be handed out now */
    OpenChannel(Delivery.Shared shared, Route route, VbucketSet share, StopSignal stop, BooleanSupplier gate) {
        this.spec = shared.spec();
        this.shared = shared;
        this.topic = spec.source().topic();
        this.route = route;
        this.vbuckets = share.stream().boxed().toList();
        this.listens = share.contains(VBuckets.of(topic));
        this.stop = stop;
        this.gate = gate;
        this.dropped = shared.counts().counters().of("message_dropped_counter");
        this.gaps = shared.counts().counters().of("message_gap_counter");
        this.saidNanos = System.nanoTime() - HandlingLimits.LOSS_SAID_EACH.toNanos();
    }

    @Override
    public void start() {
        if (listens) {
            subscription = shared.environment().channels().listen(topic, this);
            sender = Thread.ofVirtual().name(spec.name() + "-channel").start(this::run);
        }
    }

    @Override
    public void listening() {
        if (heard) {
            gaps.increment();
            gapsUnsaid.incrementAndGet();
        }
        heard = true;
    }

    @Override
    public void refused(String reason) {
        refusal.set(reason);
    }

    @Override
    public void message(byte[] content) {
        long bytes = waitingBytes.addAndGet(content.length);
        boolean room = bytes <= HandlingLimits.MAX_WAITING_CHANNEL_BYTES
                && waiting.offer(
                        new Arrived(content, shared.environment().clock().millis()));
        if (!room) {
            waitingBytes.addAndGet(-content.length);
            drop(1);
        }
    }

    private void drop(long messages) {
        dropped.add(messages);
        droppedUnsaid.addAndGet(messages);
    }

    private void run() {
        try {
            boolean more = true;
            while (more && !stop.stopped()) {
                Arrived first = waiting.poll(LOOK_EACH.toMillis(), TimeUnit.MILLISECONDS);
                if (System.nanoTime() - saidNanos >= HandlingLimits.LOSS_SAID_EACH.toNanos()) {
                    sayWhatIsLost();
                }
                more = first == null || handOut(first);
            }
        } catch (InterruptedException | CancellationException end) {
            LOG.debug("event=channel_left function={} topic={}", spec.name(), topic);
        } catch (Throwable failure) {
            shared.broken().completeExceptionally(failure);
        }
    }

    /** Hands out a message and those behind it. Returns false when the delivery ends, and drops them then. */
    private boolean handOut(Arrived first) throws InterruptedException {
        List<Arrived> page = new ArrayList<>();
        page.add(first);
        waiting.drainTo(page, HandlingLimits.MESSAGES_PER_PAGE - 1);
        page.forEach(arrived -> waitingBytes.addAndGet(-arrived.content().length));
        while (!gate.getAsBoolean()) {
            if (stop.await(shared.environment().settings().firstRetry())) {
                drop(page.size());
                return false;
            }
        }
        places.acquire(page.size());
        if (stop.stopped()) {
            drop(page.size());
            return false;
        }
        Map<Integer, List<Event>> byLane = new HashMap<>();
        for (Arrived arrived : page) {
            Event event = event(arrived);
            open.add(event.id());
            byLane.computeIfAbsent(route.laneOf(event.vbucket()), lane -> new ArrayList<>())
                    .add(event);
        }
        for (Map.Entry<Integer, List<Event>> each : byLane.entrySet()) {
            int lane = each.getKey();
            if (!shared.consumers().ofLane(lane).submit(route.threadOfLane(lane), each.getValue(), System.nanoTime())) {
                return false;
            }
        }
        return true;
    }

    /** Messages of a channel have no order to keep, so they go to all workers in turn. */
    private Event event(Arrived arrived) {
        int vbucket = vbuckets.get((int) (number % vbuckets.size()));
        return TopicMessages.ofChannel(topic, arrived.content(), arrived.millis(), number++, vbucket);
    }

    @Override
    public void ended(Event event) {
        if (open.remove(event.id())) {
            places.release();
        }
    }

    private void sayWhatIsLost() {
        long messages = droppedUnsaid.getAndSet(0);
        long interruptions = gapsUnsaid.getAndSet(0);
        if (messages > 0) {
            LOG.warn("event=channel_messages_dropped function={} topic={} messages={}", spec.name(), topic, messages);
            say(
                    "%d messages of the channel %s were dropped: more came than the function handles, or it was stopped while they waited."
                            .formatted(messages, topic));
        }
        if (interruptions > 0) {
            LOG.warn("event=channel_interrupted function={} topic={} times={}", spec.name(), topic, interruptions);
            say("The connection to Redis was interrupted, so messages of the channel %s may have been lost."
                    .formatted(topic));
        }
        String refused = refusal.getAndSet(null);
        if (refused != null) {
            LOG.warn("event=channel_refused function={} topic={} reason=\"{}\"", spec.name(), topic, refused);
            say("Redis does not let the node listen to the channel %s (%s), so no message comes."
                    .formatted(topic, refused));
        }
        saidNanos = messages + interruptions > 0 || refused != null ? System.nanoTime() : saidNanos;
    }

    private void say(String text) {
        long now = shared.environment().clock().millis();
        shared.environment().log().append(spec.name(), List.of(new LogLine("WARNING", now, text, spec.version())));
    }

    @Override
    public long held() {
        return waiting.size();
    }

    @Override
    public void close() {
        if (subscription != null) {
            subscription.close();
        }
        places.release(HandlingLimits.MAX_OPEN_MESSAGES); // for the sender
    }

    @Override
    public void awaitEnd() throws InterruptedException {
        if (sender != null) {
            sender.join();
            drop(waiting.size() + open.size());
            waiting.clear();
            open.clear();
            sayWhatIsLost();
        }
    }
}
