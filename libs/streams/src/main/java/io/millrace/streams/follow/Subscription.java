package io.millrace.streams.follow;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Keyspace;
import io.millrace.streams.follow.EventFeed.Step;
import io.millrace.streams.follow.GroupCheckpoints.Found;
import io.millrace.streams.follow.GroupCheckpoints.Save;
import io.millrace.streams.follow.GroupCheckpoints.Saved;
import io.millrace.streams.store.Limits;
import io.millrace.streams.store.StreamName;
import io.millrace.streams.store.StreamStore;
import io.millrace.streams.store.TimelineEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Handles the events of many streams for one consumer group: each stream in order, several streams at a time, each event at
 * least once, from where the group has come to.
 *
 * <p>Events that a handler has not accepted are handed to it again, after a pause that doubles; their stream waits, others do
 * not. The checkpoint advances over handled events without gaps, so after a crash the events behind it are handled again: a
 * handler recognizes them by stream and index. One subscription has a group at a time. A second one takes it over, and the
 * first one ends when it saves next.
 */
public final class Subscription implements AutoCloseable {

    /** Handles events on a virtual thread, which it may block. */
    @FunctionalInterface
    public interface Handler {

        /**
         * Handles consecutive events of one stream, at least one. Any exception means that they were not handled.
         *
         * @param events oldest first
         */
        void handle(StreamName stream, List<TimelineEvent> events) throws Exception;
    }

    /** Why a subscription has ended. */
    public enum End {
        CLOSED,
        /** Another subscription has claimed the group, or its checkpoint was moved or deleted. */
        TAKEN_OVER
    }

    /**
     * What to handle, and how.
     *
     * @param group the name of the consumer group, 1 to {@link Limits#MAX_GROUP_CHARS} letters, digits and {@code _.-}
     * @param wanted which streams; the same answer at any time
     * @param begin where a group without a checkpoint begins
     * @param parallelism how many streams are handled at a time, 1 to {@link Limits#MAX_PARALLEL_STREAMS}
     * @param waitingEvents how many events may be read ahead; reading waits while more are unhandled
     * @param checkpointEvery how often progress is saved
     * @param firstPause before failed events are handed out again, or a failed call of the store is repeated
     * @param longestPause where the doubling of pauses ends
     */
    public record Options(
            String group,
            Predicate<StreamName> wanted,
            Position begin,
            int parallelism,
            int waitingEvents,
            Duration checkpointEvery,
            Duration firstPause,
            Duration longestPause) {

        public Options {
            if (!group.matches("[A-Za-z0-9_.-]{1," + Limits.MAX_GROUP_CHARS + "}")) {
                throw new IllegalArgumentException(
                        "The name of a group must have 1 to %d letters, digits, '_', '.' or '-', not '%s'"
                                .formatted(Limits.MAX_GROUP_CHARS, group));
            }
            if (parallelism < 1 || parallelism > Limits.MAX_PARALLEL_STREAMS || waitingEvents < 1) {
                throw new IllegalArgumentException(
                        "The number of streams at a time must be 1 to %d and that of waiting events at least 1, not %d and %d"
                                .formatted(Limits.MAX_PARALLEL_STREAMS, parallelism, waitingEvents));
            }
            for (Duration each : List.of(checkpointEvery, firstPause, longestPause)) {
                if (!each.isPositive()) {
                    throw new IllegalArgumentException("Intervals and pauses must be longer than 0: " + each);
                }
            }
        }

        /**
         * The streams of one category, from the first event: 16 at a time, 10,000 events ahead, saved each 5 s, with pauses of
         * 1 s to 1 min.
         */
        public static Options of(String group, String category) {
            return new Options(
                    group,
                    stream -> stream.category().equals(category),
                    Position.START,
                    16,
                    10_000,
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(1),
                    Duration.ofMinutes(1));
        }

        public Options withWanted(Predicate<StreamName> streams) {
            return new Options(
                    group, streams, begin, parallelism, waitingEvents, checkpointEvery, firstPause, longestPause);
        }

        public Options withBegin(Position position) {
            return new Options(
                    group, wanted, position, parallelism, waitingEvents, checkpointEvery, firstPause, longestPause);
        }

        public Options withParallelism(int streams, int eventsAhead) {
            return new Options(group, wanted, begin, streams, eventsAhead, checkpointEvery, firstPause, longestPause);
        }

        public Options withCheckpointEvery(Duration interval) {
            return new Options(group, wanted, begin, parallelism, waitingEvents, interval, firstPause, longestPause);
        }

        public Options withPauses(Duration first, Duration longest) {
            return new Options(group, wanted, begin, parallelism, waitingEvents, checkpointEvery, first, longest);
        }
    }

    /**
     * The state of a subscription.
     *
     * @param checkpoint what is saved; null before the group is claimed
     * @param handledEvents since this subscription began; repeated ones count each time
     * @param failures attempts of handlers that ended with an exception
     * @param storeFailures failed calls of the store, which are repeated
     * @param waitingEvents read and not handled
     * @param busyStreams that handlers have now
     * @param failingStreams that wait for another attempt or are at it
     * @param caughtUp whether every event is handled that there was a moment ago
     * @param lastFailure the latest failure in words, "" for none
     */
    public record Statistics(
            @Nullable Position checkpoint,
            long handledEvents,
            long failures,
            long storeFailures,
            int waitingEvents,
            int busyStreams,
            int failingStreams,
            boolean caughtUp,
            String lastFailure) {}

    private final DocumentStore documents;
    private final StreamStore streams;
    private final Keyspace keyspace;
    private final GroupCheckpoints checkpoints;
    private final Options options;
    private final Handler handler;

    private final LongAdder handledEvents = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder storeFailures = new LongAdder();
    private final Map<StreamName, Integer> attempts = new ConcurrentHashMap<>();
    private final CompletableFuture<End> ended = new CompletableFuture<>();
    private final Semaphore stop = new Semaphore(0);
    private final Thread main;
    private final AtomicReference<@Nullable End> end = new AtomicReference<>();
    private volatile String lastFailure = "";
    private volatile @Nullable Position saved;
    private volatile @Nullable Backlog backlog;
    private volatile @Nullable EventFeed feed;

    private Subscription(
            DocumentStore documents,
            StreamStore streams,
            Keyspace keyspace,
            GroupCheckpoints checkpoints,
            Options options,
            Handler handler) {
        this.documents = documents;
        this.streams = streams;
        this.keyspace = keyspace;
        this.checkpoints = checkpoints;
        this.options = options;
        this.handler = handler;
        this.main = Thread.ofVirtual().name("subscription-" + options.group()).unstarted(this::run);
    }

    /**
     * Starts a subscription, which claims its group.
     *
     * @param streams the store of the streams of {@code keyspace} in {@code documents}; its bucket must have one shard
     * @param checkpoints of another keyspace
     */
    public static Subscription start(
            DocumentStore documents,
            StreamStore streams,
            Keyspace keyspace,
            GroupCheckpoints checkpoints,
            Options options,
            Handler handler) {
        if (checkpoints.keyspace().equals(keyspace)) {
            throw new IllegalArgumentException("Checkpoints must not be in the keyspace of the streams: " + keyspace);
        }
        var subscription = new Subscription(documents, streams, keyspace, checkpoints, options, handler);
        subscription.main.start();
        return subscription;
    }

    /**
     * Completes when this has ended. Fails with {@link DocumentsException} and the code {@code HISTORY_LOST} if the store has
     * lost events that the group has had: move its checkpoint, and handle again what is there.
     */
    public CompletableFuture<End> ended() {
        return ended.copy();
    }

    public Statistics statistics() {
        Backlog now = backlog;
        Backlog.View view = now == null ? new Backlog.View(Position.START, 0, 0, 0, false) : now.view();
        return new Statistics(
                saved,
                handledEvents.sum(),
                failures.sum(),
                storeFailures.sum(),
                view.waitingEvents(),
                view.running(),
                view.failingStreams(),
                view.caughtUp(),
                lastFailure);
    }

    /** Stops reading, waits for handlers that run, and saves the checkpoint. Not to be called by a handler. */
    @Override
    public void close() {
        stop(End.CLOSED);
        ended.exceptionally(failure -> End.CLOSED).join();
    }

    private void stop(End why) {
        end.compareAndSet(null, why);
        stop.release();
        EventFeed open = feed;
        if (open != null) {
            open.close();
        }
        Backlog now = backlog;
        if (now != null) {
            now.close();
        }
    }

    private boolean closing() {
        return end.get() != null;
    }

    private void run() {
        try {
            Found claimed = claim();
            if (claimed != null) {
                work(claimed);
            }
            ended.complete(Objects.requireNonNullElse(end.get(), End.CLOSED));
        } catch (InterruptedException | RuntimeException | Error failure) {
            ended.completeExceptionally(failure);
        }
    }

    /** Takes the group from the subscription that has it; returns null when this is closed meanwhile. */
    private @Nullable Found claim() throws InterruptedException {
        while (!closing()) {
            Found found = repeated(() -> checkpoints.find(options.group()));
            if (found == null) {
                return null;
            }
            Position position = found.position().orElse(options.begin());
            Save claim = checkpoints.save(options.group(), position, found.cas());
            Saved result = repeated(() -> checkpoints.carryOut(claim));
            if (result != null && result.ours()) {
                saved = position;
                return new Found(Optional.of(position), result.cas());
            }
        }
        return null;
    }

    private void work(Found claimed) throws InterruptedException {
        Position begin = claimed.position().orElseThrow();
        Backlog work = new Backlog(begin, options.waitingEvents());
        EventFeed events = new EventFeed(documents, streams, keyspace, options.wanted(), begin);
        backlog = work;
        feed = events;
        if (closing()) {
            stop(End.CLOSED); // it was called before there was anything to close
        }
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < options.parallelism(); i++) {
            threads.add(Thread.ofVirtual().start(() -> handleAll(work)));
        }
        CompletableFuture<Long> saving = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> saveRegularly(work, claimed.cas(), saving));
        try {
            read(events, work);
        } finally {
            stop(End.CLOSED);
            work.awaitIdle();
            for (Thread thread : threads) {
                thread.join();
            }
            saveLast(work, saving.join());
        }
    }

    private void read(EventFeed events, Backlog work) throws InterruptedException {
        while (!closing()) {
            Step step = repeated(events::next);
            if (step == null) {
                return;
            }
            work.add(step);
        }
    }

    private void handleAll(Backlog work) {
        try {
            for (Backlog.Work next = work.take(); next != null; next = work.take()) {
                handle(work, next);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // by the handler itself: this thread has no other
        }
    }

    private void handle(Backlog work, Backlog.Work next) {
        try {
            handler.handle(next.stream, next.events);
        } catch (Exception | Error failure) {
            failures.increment();
            lastFailure = "%s from event %d: %s"
                    .formatted(next.stream, next.events.getFirst().index(), failure);
            int before = attempts.merge(next.stream, 1, Integer::sum) - 1;
            work.failed(next);
            CompletableFuture.delayedExecutor(pauseMillis(before), TimeUnit.MILLISECONDS)
                    .execute(() -> work.again(next.stream));
            return;
        }
        attempts.remove(next.stream);
        handledEvents.add(next.events.size());
        work.done(next);
    }

    private long pauseMillis(int failuresBefore) {
        long first = Math.max(1, options.firstPause().toMillis());
        return Math.min(
                first << Math.min(failuresBefore, 20),
                Math.max(first, options.longestPause().toMillis()));
    }

    /**
     * Saves progress until this is closed or the group is taken over.
     *
     * @param last receives the version of the checkpoint then, 0 when it is another subscription's
     */
    private void saveRegularly(Backlog work, long claimed, CompletableFuture<Long> last) {
        try {
            long cas = claimed;
            while (cas != 0 && !stop.tryAcquire(options.checkpointEvery().toMillis(), TimeUnit.MILLISECONDS)) {
                cas = save(work, cas);
            }
            last.complete(cas);
            stop(cas == 0 ? End.TAKEN_OVER : End.CLOSED);
        } catch (InterruptedException | RuntimeException | Error failure) {
            last.completeExceptionally(failure);
            stop(End.CLOSED);
        }
    }

    /** Saves what was handled meanwhile; returns the version then, or 0 if the group was taken over. */
    private long save(Backlog work, long cas) throws InterruptedException {
        Position reached = work.view().handled();
        if (reached.equals(saved)) {
            return cas;
        }
        Save save = checkpoints.save(options.group(), reached, cas);
        Saved result = repeated(() -> checkpoints.carryOut(save));
        if (result == null || !result.ours()) {
            return result == null ? cas : 0;
        }
        saved = reached;
        return result.cas();
    }

    /** One attempt: what it does not save is handled again. */
    private void saveLast(Backlog work, long cas) throws InterruptedException {
        if (cas != 0 && save(work, cas) == 0) {
            end.set(End.TAKEN_OVER);
        }
    }

    /** Repeats a call until it succeeds; returns null when this is closed meanwhile, and for a call that returns null. */
    private <T> @Nullable T repeated(Supplier<CompletableFuture<@Nullable T>> call) throws InterruptedException {
        for (int failed = 0; ; failed++) {
            try {
                return call.get().get();
            } catch (ExecutionException e) {
                DocumentsException failure = repeatable(e.getCause());
                storeFailures.increment();
                lastFailure = String.valueOf(failure.getMessage());
                if (closing() || stop.tryAcquire(pauseMillis(failed), TimeUnit.MILLISECONDS)) {
                    stop.release();
                    return null;
                }
            }
        }
    }

    private static DocumentsException repeatable(@Nullable Throwable failure) {
        return switch (failure) {
            case DocumentsException lost when lost.code() == DocumentsException.Code.HISTORY_LOST -> throw lost;
            case DocumentsException passing -> passing;
            case RuntimeException defect -> throw defect;
            case null, default -> throw new IllegalStateException("A call of the store failed: " + failure, failure);
        };
    }
}
