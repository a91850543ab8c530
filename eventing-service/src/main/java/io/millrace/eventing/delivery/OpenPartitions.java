package io.millrace.eventing.delivery;

import io.millrace.documents.VBuckets;
import io.millrace.eventing.consumer.Backoff;
import io.millrace.eventing.kafka.KafkaMessage;
import io.millrace.eventing.kafka.KafkaReader;
import io.millrace.eventing.kafka.KafkaUnreadable;
import io.millrace.eventing.kafka.Trouble;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.KafkaMessages;
import io.millrace.eventing.runtime.StopSignal;
import io.millrace.rebalance.VbucketSet;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.LogLine;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.IntToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands out the messages of a topic of Kafka. Each partition belongs to a vbucket, whose owner reads it. One thread reads all
 * partitions of this node; a thread for each hands out what was read in the order of the partition, and stores how far it is
 * handled. A function with retries gets one message of a partition at a time, as {@link OpenStreams} does with events.
 */
final class OpenPartitions implements OpenTopic {

    private static final Logger LOG = LoggerFactory.getLogger(OpenPartitions.class);

    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
    private static final Duration LOOK_EACH = Duration.ofSeconds(1);
    private static final Duration SAVED_EACH = Duration.ofSeconds(1);

    private final FunctionSpec spec;
    private final Delivery.Shared shared;
    private final Route route;
    private final VbucketSet share;
    private final StopSignal stop;
    private final BooleanSupplier gate;
    private final PartitionOffsets offsets;

    private final Map<Integer, OpenPartition> open = new ConcurrentHashMap<>();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private @Nullable Thread reader;
    private volatile long unread;

    // of the reader alone
    private boolean begun;
    private final Trouble trouble = new Trouble(LONGEST_PAUSE);

    /**
     * @param epochs returns the epoch of an owned vbucket
     * @param gate whether messages may be handed out now
     */
    OpenPartitions(
            Delivery.Shared shared,
            Route route,
            VbucketSet share,
            IntToLongFunction epochs,
            StopSignal stop,
            BooleanSupplier gate) {
        this.spec = shared.spec();
        this.shared = shared;
        this.route = route;
        this.share = share;
        this.stop = stop;
        this.gate = gate;
        this.offsets = new PartitionOffsets(spec, shared.environment(), share, epochs, this::vbucket, stop);
        this.unread = share.isEmpty() ? 0 : 1; // until it is known
    }

    private int vbucket(int partition) {
        return VBuckets.of(spec.source().topic() + '-' + partition);
    }

    @Override
    public void start() {
        if (!share.isEmpty()) {
            reader = Thread.ofPlatform().daemon().name(spec.name() + "-kafka").start(this::run);
        }
    }

    private void run() {
        Backoff pauses = new Backoff(SHORTEST_PAUSE, LONGEST_PAUSE);
        try {
            while (!stop.stopped()) {
                try (KafkaReader opened = shared.environment()
                        .kafka()
                        .open(spec.source().cluster(), spec.source().topic())) {
                    follow(opened, pauses);
                } catch (KafkaUnreadable failure) {
                    say(failure);
                    stop.await(pauses.next());
                }
            }
        } catch (InterruptedException | CancellationException end) {
            LOG.debug(
                    "event=kafka_left function={} topic={}",
                    spec.name(),
                    spec.source().topic());
        } catch (Throwable failure) {
            shared.broken().completeExceptionally(failure);
        }
    }

    /** Tells the author of the function, once for each reason. */
    private void say(KafkaUnreadable failure) {
        String text = String.valueOf(failure.getMessage());
        LOG.warn(
                "event=kafka_unreadable function={} cluster={} topic={} reason=\"{}\"",
                spec.name(),
                spec.source().cluster(),
                spec.source().topic(),
                text);
        if (trouble.note(text)) {
            long now = shared.environment().clock().millis();
            shared.environment().log().append(spec.name(), List.of(new LogLine("ERROR", now, text, spec.version())));
        }
    }

    private void follow(KafkaReader kafka, Backoff pauses) throws InterruptedException {
        kafka.add(open.values().stream().collect(Collectors.toMap(OpenPartition::number, OpenPartition::next)));
        trouble.resumed(System.nanoTime());
        long looked = System.nanoTime() - LOOK_EACH.toNanos();
        while (!stop.stopped()) {
            if (System.nanoTime() - looked >= LOOK_EACH.toNanos()) {
                look(kafka);
                looked = System.nanoTime();
            }
            if (trouble.endsIfRead(System.nanoTime())) {
                pauses.reset();
            }
            if (open.isEmpty()) {
                unread = 0;
                stop.await(LOOK_EACH);
                continue;
            }
            kafka.hold(open.values().stream()
                    .filter(OpenPartition::full)
                    .map(OpenPartition::number)
                    .toList());
            KafkaReader.Batch batch = kafka.poll();
            batch.messages().forEach(message -> of(message.partition()).read(message));
            batch.gaps().forEach(this::skip);
            unread = kafka.unread();
        }
    }

    private OpenPartition of(int partition) {
        return Objects.requireNonNull(open.get(partition), "a partition that is read is open");
    }

    /** Opens the partitions of this node that are new to it. */
    private void look(KafkaReader kafka) throws InterruptedException {
        List<Integer> fresh = kafka.partitions().stream()
                .filter(partition -> share.contains(vbucket(partition)) && !open.containsKey(partition))
                .toList();
        if (fresh.isEmpty() && begun) {
            return;
        }
        Map<Integer, Long> starts = offsets.starts(fresh, kafka);
        begun = true;
        kafka.add(starts);
        starts.forEach((number, start) -> {
            OpenPartition partition = new OpenPartition(number, vbucket(number), start);
            open.put(number, partition);
            Thread thread = Thread.ofVirtual().name(spec.name() + "-partition").unstarted(() -> handle(partition));
            threads.add(thread);
            thread.start();
        });
    }

    private void skip(KafkaReader.Gap gap) {
        LOG.warn(
                "event=messages_missing function={} topic={} partition={} wanted={} next={}",
                spec.name(),
                spec.source().topic(),
                gap.partition(),
                gap.wanted(),
                gap.first());
        of(gap.partition()).skipTo(gap.first());
    }

    private void handle(OpenPartition partition) {
        int each = spec.handling().retries() == 0 ? HandlingLimits.MESSAGES_PER_PAGE : 1;
        long saved = partition.reached();
        long savedNanos = System.nanoTime();
        try {
            boolean more = true;
            while (more) {
                List<KafkaMessage> some = partition.take(each);
                more = !some.isEmpty() && send(partition, some);
                long reached = partition.reached();
                boolean due = !more || !partition.behind() || System.nanoTime() - savedNanos > SAVED_EACH.toNanos();
                if (due && reached != saved) {
                    more &= offsets.remember(partition, reached);
                    saved = reached;
                    savedNanos = System.nanoTime();
                }
            }
        } catch (InterruptedException | CancellationException end) {
            LOG.debug("event=partition_left function={} partition={}", spec.name(), partition.number());
        } catch (Throwable failure) {
            shared.broken().completeExceptionally(failure);
        } finally {
            partition.close();
        }
    }

    /** Returns whether all messages were handled. */
    private boolean send(OpenPartition partition, List<KafkaMessage> messages) throws InterruptedException {
        while (!gate.getAsBoolean()) {
            if (stop.await(shared.environment().settings().firstRetry())) {
                return false;
            }
        }
        if (stop.stopped()) {
            return false;
        }
        var done = partition.begin(messages);
        int lane = route.laneOf(partition.vbucket());
        List<Event> sent = messages.stream()
                .map(message -> KafkaMessages.event(spec.source().topic(), message, partition.vbucket()))
                .toList();
        if (!shared.consumers().ofLane(lane).submit(route.threadOfLane(lane), sent, System.nanoTime())) {
            return false;
        }
        partition.submitted();
        try {
            done.get();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("Outcomes do not fail", impossible);
        }
        return partition.reached() > messages.getLast().offset();
    }

    @Override
    public void ended(Event event) {
        OpenPartition partition = open.get(KafkaMessages.partition(event));
        if (partition != null) {
            partition.ended(event.seqno());
        }
    }

    @Override
    public long held() {
        return unread + open.values().stream().mapToLong(OpenPartition::size).sum();
    }

    /** The reader ends by itself, and what waits for outcomes when the consumers have ended. */
    @Override
    public void close() {}

    @Override
    public void awaitEnd() throws InterruptedException {
        if (reader != null) {
            reader.join();
        }
        open.values().forEach(OpenPartition::close);
        for (Thread thread : List.copyOf(threads)) {
            thread.join();
        }
    }
}
