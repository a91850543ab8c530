package io.millrace.eventing.consumer;

import io.millrace.eventing.metrics.Histogram;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Frame;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The events of one thread of a worker: those in flight and, after them, those that wait. Keeps their order when
 * workers die. Not thread-safe.
 */
final class Lane {

    /** Waiting events, from an index on. */
    private static final class Chunk {
        final List<Event> events;
        final long readNanos;
        int from;

        Chunk(List<Event> events, long readNanos) {
            this.events = events;
            this.readNanos = readNanos;
        }
    }

    /** A batch that was sent. {@code runningSince} is the earliest time at which the worker can have started it. */
    private static final class InFlight {
        final Frame.Batch batch;
        long runningSince;

        InFlight(Frame.Batch batch, long runningSince) {
            this.batch = batch;
            this.runningSince = runningSince;
        }
    }

    private final int thread;
    private final DeliverySettings settings;
    private final Histogram queueMicros;
    private final Deque<Chunk> waiting = new ArrayDeque<>();
    private final Deque<InFlight> inFlight = new ArrayDeque<>();
    private int waitingEvents;
    private long waitingBytes;
    private int inFlightEvents;
    private int suspects;
    private long lastBatch;
    private long nanosPerEvent;

    Lane(int thread, DeliverySettings settings, Histogram queueMicros) {
        this.thread = thread;
        this.settings = settings;
        this.queueMicros = queueMicros;
    }

    boolean full() {
        return waitingEvents >= settings.waitingEvents() || waitingBytes >= settings.waitingBytes();
    }

    void add(List<Event> events, long readNanos) {
        waiting.addLast(new Chunk(events, readNanos));
        waitingEvents += events.size();
        for (Event event : events) {
            waitingBytes += event.weightBytes();
        }
    }

    /** Returns whether a later change of an event's document waits or is in flight; examines every event. */
    boolean hasLater(Event event) {
        DocumentName document = DocumentName.of(event);
        Predicate<Event> later = other -> other.seqno() > event.seqno()
                && other.kind() != Event.Kind.TIMER
                && DocumentName.of(other).equals(document);
        return inFlight.stream().anyMatch(sent -> sent.batch.events().stream().anyMatch(later))
                || waiting.stream()
                        .anyMatch(chunk -> chunk.events.subList(chunk.from, chunk.events.size()).stream()
                                .anyMatch(later));
    }

    /** Drops waiting events. */
    void dropWaiting() {
        waiting.clear();
        waitingEvents = 0;
        waitingBytes = 0;
        suspects = 0;
    }

    /** Takes the next batch to send, or null when nothing waits or the window is full. */
    Frame.@Nullable Batch take(long now) {
        return waitingEvents == 0 || inFlight.size() >= settings.windowBatches() ? null : take(batchLimit(), now);
    }

    /** Takes the first event alone. */
    Frame.@Nullable Batch takeOne(long now) {
        return waitingEvents == 0 ? null : take(1, now);
    }

    private Frame.Batch take(int most, long now) {
        List<Event> events = new ArrayList<>(Math.min(most, waitingEvents));
        long bytes = 0;
        while (waitingEvents > 0 && events.size() < most && bytes < settings.batchBytes()) {
            Chunk chunk = waiting.getFirst();
            int before = events.size();
            while (chunk.from < chunk.events.size() && events.size() < most && bytes < settings.batchBytes()) {
                Event event = chunk.events.get(chunk.from++);
                events.add(event);
                bytes += event.weightBytes();
            }
            int taken = events.size() - before;
            waitingEvents -= taken;
            queueMicros.record((now - chunk.readNanos) / 1000, taken);
            if (chunk.from == chunk.events.size()) {
                waiting.removeFirst();
            }
        }
        waitingBytes -= bytes;
        inFlightEvents += events.size();
        Frame.Batch batch = new Frame.Batch(++lastBatch, thread, events);
        inFlight.addLast(new InFlight(batch, now));
        return batch;
    }

    private int batchLimit() {
        long fitting = nanosPerEvent == 0
                ? settings.batchEvents()
                : settings.batchTime().toNanos() / nanosPerEvent;
        return (int) Math.clamp(fitting, 1, settings.batchEvents());
    }

    /** Ends the oldest batch and returns its events, or nothing when {@code done} does not answer that batch. */
    List<Event> done(Frame.Done done, long now) {
        InFlight oldest = inFlight.peekFirst();
        if (oldest == null
                || oldest.batch.batch() != done.batch()
                || oldest.batch.events().size() != done.outcomes().size()) {
            return List.of();
        }
        inFlight.removeFirst();
        List<Event> events = oldest.batch.events();
        inFlightEvents -= events.size();
        suspects = Math.max(0, suspects - events.size());
        long each = Math.max(1, (now - oldest.runningSince) / events.size());
        nanosPerEvent = nanosPerEvent == 0 ? each : (3 * nanosPerEvent + each) / 4;
        InFlight next = inFlight.peekFirst();
        if (next != null) {
            next.runningSince = now;
        }
        return events;
    }

    /**
     * Puts events in flight back before the waiting ones, and suspects them of having ended the worker. Of several
     * changes of one document only the last is kept, so that the successor does not write results of an older state
     * over those of a newer one. Returns the others.
     */
    List<Event> workerDied(long now) {
        Set<DocumentName> newer = new HashSet<>();
        Deque<Event> kept = new ArrayDeque<>();
        List<Event> superseded = new ArrayList<>();
        for (Iterator<InFlight> newestFirst = inFlight.descendingIterator(); newestFirst.hasNext(); ) {
            for (Event event : newestFirst.next().batch.events().reversed()) {
                if (newer.add(DocumentName.of(event))) {
                    kept.addFirst(event);
                } else {
                    superseded.add(event);
                }
            }
        }
        inFlight.clear();
        inFlightEvents = 0;
        suspects = Math.max(suspects - superseded.size(), kept.size());
        if (!kept.isEmpty()) {
            waiting.addFirst(new Chunk(List.copyOf(kept), now));
            waitingEvents += kept.size();
            for (Event event : kept) {
                waitingBytes += event.weightBytes();
            }
        }
        return superseded;
    }

    /** Returns the first waiting event. */
    Event first() {
        Chunk chunk = waiting.getFirst();
        return chunk.events.get(chunk.from);
    }

    /** Removes the first waiting event. */
    Event giveUpFirst() {
        Chunk chunk = waiting.getFirst();
        Event event = chunk.events.get(chunk.from++);
        if (chunk.from == chunk.events.size()) {
            waiting.removeFirst();
        }
        waitingEvents--;
        waitingBytes -= event.weightBytes();
        suspects = Math.max(0, suspects - 1);
        return event;
    }

    /** Returns whether the worker has had its oldest batch for longer than its events may take. */
    boolean overdue(long now, long nanosForEachEvent, long grace) {
        InFlight oldest = inFlight.peekFirst();
        return oldest != null
                && now - oldest.runningSince
                        > grace + nanosForEachEvent * oldest.batch.events().size();
    }

    int suspects() {
        return suspects;
    }

    int inFlightEvents() {
        return inFlightEvents;
    }

    int unacknowledged() {
        return waitingEvents + inFlightEvents;
    }

    long waitingBytes() {
        return waitingBytes;
    }
}
