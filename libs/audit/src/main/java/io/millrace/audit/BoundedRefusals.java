package io.millrace.audit;

import io.millrace.audit.AuditEvent.Actor;
import io.millrace.audit.AuditEvent.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a client that repeats what is refused from filling the trail. The first {@link AuditLimits#MAX_EQUAL_REFUSALS}
 * refusals of a user and an operation within a window are recorded; the others are counted. At the end of the window the last
 * of them is recorded with the number of those left out. Whatever is not a refusal is recorded unchanged. Thread-safe.
 */
public final class BoundedRefusals implements Audit, AutoCloseable {

    /** Stands for the users and the operations that are not told apart. */
    static final String SEVERAL = "*";

    /** Runs a task later. */
    interface Timer extends AutoCloseable {

        void after(Duration delay, Runnable task);

        @Override
        void close();
    }

    private record Key(String domain, String user, String host, String kind, String operation) {

        static final Key OTHERS = new Key(SEVERAL, SEVERAL, SEVERAL, SEVERAL, SEVERAL);

        static Key of(AuditEvent event) {
            Actor actor = event.actor();
            int port = actor.address().lastIndexOf(':');
            return new Key(
                    actor.domain(),
                    actor.name(),
                    port < 0 ? actor.address() : actor.address().substring(0, port),
                    event.kind().name(),
                    event.resource());
        }
    }

    private static final class Window {
        private int recorded;
        private long leftOut;
        private @Nullable AuditEvent last;
    }

    private final Audit next;
    private final Runnable end;
    private final Timer timer;
    private final Map<Key, Window> windows = new HashMap<>();

    BoundedRefusals(Audit next, Runnable end, Timer timer) {
        this.next = next;
        this.end = end;
        this.timer = timer;
    }

    /** Returns a bound in front of a trail, which it closes. */
    public static BoundedRefusals of(AuditTrail trail) {
        return new BoundedRefusals(trail, trail::close, new DaemonTimer());
    }

    /** Completes at once for a refusal that is only counted. */
    @Override
    public CompletableFuture<Void> record(AuditEvent event) {
        return event.outcome() != Outcome.REFUSED || hasLine(event)
                ? next.record(event)
                : CompletableFuture.completedFuture(null);
    }

    private synchronized boolean hasLine(AuditEvent event) {
        Key own = Key.of(event);
        boolean others = !windows.containsKey(own) && windows.size() >= AuditLimits.MAX_KINDS_OF_REFUSALS;
        Key key = others ? Key.OTHERS : own;
        Window window = windows.get(key);
        if (window == null) {
            window = new Window();
            windows.put(key, window);
            timer.after(AuditLimits.WINDOW, () -> end(key));
        }
        if (window.recorded < AuditLimits.MAX_EQUAL_REFUSALS) {
            window.recorded++;
            return true;
        }
        window.leftOut++;
        window.last = event;
        return false;
    }

    private void end(Key key) {
        AuditEvent summary;
        synchronized (this) {
            summary = summary(key, windows.remove(key));
        }
        if (summary != null) {
            var unused = next.record(summary);
        }
    }

    private static @Nullable AuditEvent summary(Key key, @Nullable Window window) {
        if (window == null || window.last == null) {
            return null;
        }
        AuditEvent last = window.last;
        AuditEvent shown = key.equals(Key.OTHERS)
                ? AuditEvent.refused(
                        last.kind(),
                        new Actor(SEVERAL, SEVERAL, SEVERAL, SEVERAL),
                        SEVERAL,
                        "More users and operations were refused than are told apart.",
                        "")
                : last;
        return shown.withLeftOut(window.leftOut);
    }

    /** Records what has been counted, and closes the trail. */
    @Override
    public void close() {
        timer.close();
        List<Key> open;
        synchronized (this) {
            open = new ArrayList<>(windows.keySet());
        }
        open.forEach(this::end);
        end.run();
    }

    private static final class DaemonTimer implements Timer {

        private final ScheduledExecutorService thread = new ScheduledThreadPoolExecutor(
                1,
                task -> Thread.ofPlatform().daemon().name("audit-windows").unstarted(task),
                new ThreadPoolExecutor.DiscardPolicy()); // after the end, which records what is counted

        @Override
        public void after(Duration delay, Runnable task) {
            var unused = thread.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        }

        @Override
        public void close() {
            thread.shutdownNow();
        }
    }
}
