package io.millrace.gateway.fastpath;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Counts the exchanges in flight and keeps the graceful end of the server waiting for them, which knows its own requests only. */
@Component
final class Exchanges implements SmartLifecycle {

    private final AtomicInteger running = new AtomicInteger();
    private final AtomicReference<@Nullable Runnable> whenNone = new AtomicReference<>();
    private volatile boolean started;

    void begun() {
        running.incrementAndGet();
    }

    void ended() {
        if (running.decrementAndGet() == 0) {
            tell();
        }
    }

    private void tell() {
        Runnable waiting = whenNone.getAndSet(null);
        if (waiting != null) {
            waiting.run();
        }
    }

    @Override
    public void start() {
        started = true;
    }

    @Override
    public void stop() {
        started = false;
    }

    @Override
    public void stop(Runnable stopped) {
        started = false;
        whenNone.set(stopped);
        if (running.get() == 0) {
            tell();
        }
    }

    @Override
    public boolean isRunning() {
        return started;
    }

    @Override
    public int getPhase() {
        return WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE;
    }
}
