package io.millrace.streams.follow;

import io.millrace.streams.follow.EventFeed.Step;
import io.millrace.streams.store.StreamName;
import io.millrace.streams.store.TimelineEvent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What a subscription has read and not handled. A stream is at one thread at a time; the position advances over what is handled
 * without gaps in the order of the feed. Thread-safe.
 */
final class Backlog {

    private final int mostEvents;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // guarded by lock
    private final Deque<Work> inFeedOrder = new ArrayDeque<>();
    private final Map<StreamName, Deque<Work>> byStream = new HashMap<>();
    private final Deque<StreamName> ready = new ArrayDeque<>();
    private final Set<StreamName> failing = new HashSet<>();
    private Position handled;
    private int waitingEvents;
    private int running;
    private boolean caughtUp;
    private boolean closed;

    /** Events of one stream to be handled together. */
    static final class Work {

        final StreamName stream;
        final List<TimelineEvent> events;

        // guarded by the lock of the backlog
        private Position position;
        private boolean done;

        private Work(Step.Events step) {
            this.stream = step.stream();
            this.events = step.events();
            this.position = step.position();
        }
    }

    /** A view of the moment. */
    record View(Position handled, int waitingEvents, int running, int failingStreams, boolean caughtUp) {}

    /** @param mostEvents reading waits while more are here */
    Backlog(Position begin, int mostEvents) {
        this.handled = begin;
        this.mostEvents = mostEvents;
    }

    /** Adds what was read, as soon as there is room; one step is taken whatever its size. */
    void add(Step step) throws InterruptedException {
        lock.lock();
        try {
            while (waitingEvents >= mostEvents && !closed) {
                changed.await();
            }
            switch (step) {
                case Step.Events events -> add(new Work(events));
                case Step.CaughtUp end -> {
                    caughtUp = true;
                    if (inFeedOrder.isEmpty()) {
                        handled = end.position();
                    } else {
                        inFeedOrder.getLast().position = end.position();
                    }
                }
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void add(Work work) {
        caughtUp = false;
        waitingEvents += work.events.size();
        inFeedOrder.add(work);
        Deque<Work> ofStream = byStream.computeIfAbsent(work.stream, stream -> new ArrayDeque<>());
        ofStream.add(work);
        if (ofStream.size() == 1) {
            ready.add(work.stream);
        }
    }

    /** Returns the next work of a stream that no thread has, as soon as there is some; null when this is closed. */
    @Nullable
    Work take() throws InterruptedException {
        lock.lock();
        try {
            while (ready.isEmpty() && !closed) {
                changed.await();
            }
            if (closed) {
                return null;
            }
            running++;
            return queue(ready.remove()).element();
        } finally {
            lock.unlock();
        }
    }

    private Deque<Work> queue(StreamName stream) {
        return Objects.requireNonNull(byStream.get(stream));
    }

    /** Notes that work was handled. */
    void done(Work work) {
        lock.lock();
        try {
            running--;
            work.done = true;
            waitingEvents -= work.events.size();
            failing.remove(work.stream);
            Deque<Work> ofStream = queue(work.stream);
            ofStream.remove();
            if (ofStream.isEmpty()) {
                byStream.remove(work.stream);
            } else {
                ready.add(work.stream);
            }
            while (!inFeedOrder.isEmpty() && inFeedOrder.peek().done) {
                handled = inFeedOrder.remove().position;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Notes that work failed; its stream waits until {@link #again}. */
    void failed(Work work) {
        lock.lock();
        try {
            running--;
            failing.add(work.stream);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Makes a stream that failed ready for its next attempt. */
    void again(StreamName stream) {
        lock.lock();
        try {
            ready.add(stream);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Hands out nothing more. Never blocks for long. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until all work that was handed out has ended. */
    void awaitIdle() throws InterruptedException {
        lock.lock();
        try {
            while (running > 0) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    View view() {
        lock.lock();
        try {
            return new View(handled, waitingEvents, running, failing.size(), caughtUp && inFeedOrder.isEmpty());
        } finally {
            lock.unlock();
        }
    }
}
