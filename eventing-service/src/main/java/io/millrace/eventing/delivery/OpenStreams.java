package io.millrace.eventing.delivery;

import io.millrace.documents.Document;
import io.millrace.documents.Mutation;
import io.millrace.eventing.delivery.StreamBookmarks.Bookmark;
import io.millrace.eventing.runtime.EventStreams;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.Retry;
import io.millrace.eventing.runtime.StopSignal;
import io.millrace.rebalance.VbucketSet;
import io.millrace.streams.store.StreamName;
import io.millrace.streams.store.StreamStore.Page;
import io.millrace.streams.store.TimelineEvent;
import io.millrace.workerprotocol.Event;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands out the events of the streams that have changed. The feed says which streams these are, each by its latest change; a
 * thread for each of them reads its events from the bookmark on and hands them out in order. A change counts as handled when
 * all events of its stream are, so checkpoints wait for that.
 *
 * <p>A function with retries gets one event of a stream at a time: the next one waits until the one before is handled or a
 * dead letter. Without retries a failure does not hold up what comes behind it, so all that was read is sent. Thread-safe.
 */
final class OpenStreams {

    private static final Logger LOG = LoggerFactory.getLogger(OpenStreams.class);

    private final FunctionSpec spec;
    private final Delivery.Shared shared;
    private final EventStreams streams;
    private final EventTraces traces;
    private final Route route;
    private final Progress progress;
    private final StreamBookmarks bookmarks;
    private final StopSignal stop;
    private final BooleanSupplier gate;
    private final Retry retry;

    private final Semaphore places = new Semaphore(HandlingLimits.MAX_OPEN_STREAMS);
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    // guarded by this
    private final Map<String, OpenStream> open = new HashMap<>();

    /** @param gate whether events may be handed out now */
    OpenStreams(
            Delivery.Shared shared,
            Route route,
            Progress progress,
            IntToLongFunction epochs,
            StopSignal stop,
            BooleanSupplier gate) {
        this.spec = shared.spec();
        this.shared = shared;
        this.streams = EventStreams.of(spec, shared.environment());
        this.traces = new EventTraces(spec, shared.environment());
        this.route = route;
        this.progress = progress;
        this.bookmarks = new StreamBookmarks(spec, shared.environment(), epochs);
        this.stop = stop;
        this.gate = gate;
        this.retry = new Retry(spec.name(), stop, shared.environment().settings());
    }

    /** As {@link StreamBookmarks#begin}. */
    void begin(VbucketSet vbuckets, IntToLongFunction saved, Retry starting) throws InterruptedException {
        bookmarks.begin(vbuckets, saved, starting);
    }

    /** Takes a page of the feed; waits while many streams are open. Returns false when the delivery ends. */
    boolean changed(List<Mutation> page) throws InterruptedException {
        for (Mutation mutation : page) {
            Document document = mutation.document();
            int vbucket = document.key().vbucket();
            if (!EventStreams.inSource(document, spec) || progress.handledBefore(vbucket, mutation.seqno())) {
                continue;
            }
            progress.dispatched(vbucket, mutation.seqno(), document.modified());
            String name = document.key().id();
            if (!joined(name, mutation.seqno()) && !opened(name, vbucket, mutation.seqno())) {
                return false;
            }
        }
        return true;
    }

    private synchronized boolean joined(String name, long seqno) {
        OpenStream stream = open.get(name);
        if (stream != null) {
            stream.changed(seqno);
        }
        return stream != null;
    }

    private boolean opened(String name, int vbucket, long seqno) throws InterruptedException {
        places.acquire();
        if (stop.stopped()) {
            places.release();
            return false;
        }
        OpenStream stream = new OpenStream(StreamName.parse(name), vbucket);
        stream.changed(seqno);
        synchronized (this) {
            open.put(name, stream);
        }
        Thread thread = Thread.ofVirtual().name(spec.name() + "-stream").unstarted(() -> follow(stream));
        threads.add(thread);
        thread.start();
        return true;
    }

    private void follow(OpenStream stream) {
        try {
            Bookmark place = intact(stream, bookmarks.recall(stream.name(), retry));
            for (List<Long> rows = rows(stream); !rows.isEmpty(); rows = rows(stream)) {
                Bookmark reached = handOut(stream, place);
                if (reached == null) {
                    return;
                }
                place = reached;
                rows.forEach(row -> progress.acknowledged(stream.vbucket(), row));
            }
        } catch (InterruptedException | CancellationException end) {
            LOG.debug("event=stream_left function={} stream={}", spec.name(), stream.name());
        } catch (Throwable failure) {
            shared.broken().completeExceptionally(failure);
        } finally {
            close(stream);
        }
    }

    /** Takes the changes of a stream that were read; without any, the stream is closed in the same step. */
    private synchronized List<Long> rows(OpenStream stream) {
        List<Long> rows = stream.takeChanges();
        if (rows.isEmpty()) {
            open.remove(stream.name().toString(), stream);
        }
        return rows;
    }

    private synchronized void close(OpenStream stream) {
        open.remove(stream.name().toString(), stream);
        threads.remove(Thread.currentThread());
        places.release();
    }

    /** Returns a bookmark, or the start of the stream if Redis has lost events that it counts as handled. */
    private Bookmark intact(OpenStream stream, Bookmark found) throws InterruptedException {
        if (found.next() == 0) {
            return found;
        }
        Page page = retry.call("read_stream", () -> streams.read(stream.name(), found.next() - 1));
        boolean same = page.version() >= found.next()
                && (page.events().isEmpty()
                        || page.start() != found.next() - 1
                        || page.events().getFirst().seqno() == found.seqno());
        if (!same) {
            LOG.warn("event=events_lost function={} stream={} handled={}", spec.name(), stream.name(), found.next());
        }
        return same ? found : Bookmark.START;
    }

    /** Hands out all events of a stream. Returns how far it is handled, or null when this delivery cannot go on. */
    private @Nullable Bookmark handOut(OpenStream stream, Bookmark from) throws InterruptedException {
        Bookmark place = from;
        while (true) {
            long next = place.next();
            Page page = retry.call("read_stream", () -> streams.read(stream.name(), next));
            List<TimelineEvent> events = page.events();
            if (events.isEmpty()) {
                return place;
            }
            long reached = handOut(stream, events);
            if (reached > next) {
                place = new Bookmark(
                        reached, events.get((int) (reached - page.start()) - 1).seqno());
                if (!bookmarks.remember(stream, place, retry)) {
                    return null;
                }
            }
            if (reached < page.end()) {
                return null;
            }
            if (page.end() >= page.version()) {
                return place;
            }
        }
    }

    /** Returns the index behind the last event that is handled, with all before it. */
    private long handOut(OpenStream stream, List<TimelineEvent> events) throws InterruptedException {
        long leftOut = bookmarks.leftOut(stream.vbucket());
        int each = spec.handling().retries() == 0 ? events.size() : 1;
        int at = 0;
        while (at < events.size() && events.get(at).seqno() <= leftOut) {
            at++;
        }
        while (at < events.size()) {
            List<TimelineEvent> some = events.subList(at, Math.min(at + each, events.size()));
            long reached = send(stream, some);
            if (reached <= some.getLast().index()) {
                return reached;
            }
            at += some.size();
        }
        return events.getLast().index() + 1;
    }

    private long send(OpenStream stream, List<TimelineEvent> events) throws InterruptedException {
        long first = events.getFirst().index();
        while (!gate.getAsBoolean()) {
            if (stop.await(shared.environment().settings().firstRetry())) {
                return first;
            }
        }
        if (stop.stopped()) {
            return first;
        }
        var done = stream.begin(first, events.size());
        int lane = route.laneOf(stream.vbucket());
        List<Event> sent = events.stream()
                .map(event -> traces.follow(streams.event(stream.name(), event), event.event()))
                .toList();
        if (shared.consumers().ofLane(lane).submit(route.threadOfLane(lane), sent, System.nanoTime())) {
            try {
                done.get();
            } catch (ExecutionException impossible) {
                throw new IllegalStateException("Outcomes do not fail", impossible);
            }
        }
        return stream.reached();
    }

    /** Notes that an event need not be delivered again. */
    void ended(Event event) {
        OpenStream stream;
        synchronized (this) {
            stream = open.get(event.id());
        }
        if (stream != null) {
            stream.ended(event.cas());
        }
    }

    /** Returns how many streams have events that are not handled. */
    synchronized int held() {
        return open.size();
    }

    /** Hands out nothing from now on. Never blocks. */
    void close() {
        places.release(); // for the reader
    }

    /** Waits until what is handled is stored. Outcomes that are not known by now do not count. */
    void awaitEnd() throws InterruptedException {
        List<OpenStream> last;
        synchronized (this) {
            last = List.copyOf(open.values());
        }
        last.forEach(OpenStream::close);
        for (Thread thread : List.copyOf(threads)) {
            thread.join();
        }
    }
}
