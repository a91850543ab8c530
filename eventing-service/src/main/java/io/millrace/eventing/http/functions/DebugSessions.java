package io.millrace.eventing.http.functions;

import static io.millrace.eventing.http.Requests.get;

import io.millrace.eventing.consumer.DebugRun;
import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.runtime.FunctionRuntime;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.workerprotocol.Event;
import jakarta.annotation.PreDestroy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/** The debuggers of this node, at most one for each function; each ends by itself. */
@Component
class DebugSessions {

    static final int DEFAULT_MINUTES = 15;
    static final int MAX_MINUTES = 60;

    /** Each has a worker process. */
    private static final int MAX_SESSIONS = 4;

    /** How long a debugger that has ended shows how. */
    private static final Duration KEPT = Duration.ofMinutes(15);

    private final FunctionRuntime runtime;
    private final InstantSource clock;
    private final Duration kept;
    private final Map<FunctionName, DebugSession> sessions = new ConcurrentHashMap<>();

    @Autowired
    DebugSessions(FunctionRuntime runtime, InstantSource clock) {
        this(runtime, clock, KEPT);
    }

    DebugSessions(FunctionRuntime runtime, InstantSource clock, Duration kept) {
        this.runtime = runtime;
        this.clock = clock;
        this.kept = kept;
    }

    /** Debugs a function on an event. Blocks until the worker is ready. */
    DebugSession start(FunctionName name, FunctionSpec spec, Event event, byte[] answers, Duration limit)
            throws Exception {
        DebugSession session = open(name, limit);
        try {
            DebugRun run = get(runtime.debug(spec, event, answers, limit));
            Thread.ofVirtual().name("debug-" + name).start(() -> session.follow(run));
            return session;
        } catch (Exception e) {
            session.close();
            sessions.remove(name, session);
            throw e;
        }
    }

    /** Debugs a function on the next change, and does not wait for it. @param begin begins to wait */
    DebugSession startWithNext(
            FunctionName name, FunctionSpec spec, Callable<NextChange> begin, byte[] answers, Duration limit)
            throws Exception {
        DebugSession session = open(name, limit);
        try {
            NextChange next = begin.call();
            session.ended().thenRun(next::close);
            Thread.ofVirtual().name("debug-" + name).start(() -> debugNext(session, spec, next, answers, limit));
            return session;
        } catch (Exception e) {
            session.close();
            sessions.remove(name, session);
            throw e;
        }
    }

    private void debugNext(DebugSession session, FunctionSpec spec, NextChange next, byte[] answers, Duration limit) {
        try {
            Event event = get(next.found());
            next.close();
            session.follow(get(runtime.debug(spec, event, answers, limit)));
        } catch (CancellationException ended) {
            session.close();
        } catch (Exception e) {
            session.fail(String.valueOf(e.getMessage()));
            session.close();
        }
    }

    /** Opens a debugger that has no worker yet, and ends an earlier one of the function. */
    synchronized DebugSession open(FunctionName name, Duration limit) {
        stop(name);
        if (sessions.values().stream().filter(each -> !each.isClosed()).count() >= MAX_SESSIONS) {
            throw FunctionsException.of(
                    ErrorCode.ERR_REQUESTED_OP_FAILED,
                    "This node is already debugging %d functions; end one of them.".formatted(MAX_SESSIONS));
        }
        DebugSession session = new DebugSession(clock.instant().plus(limit));
        sessions.put(name, session);
        session.ended()
                .copy()
                .orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionallyAsync(late -> timeIsUp(session), DebugSessions::onThreadOfItsOwn);
        session.ended().thenRunAsync(() -> sessions.remove(name, session), later(kept));
        return session;
    }

    private static @Nullable Void timeIsUp(DebugSession session) {
        session.fail("The time of the debugger was up");
        session.close();
        return null;
    }

    private static Executor later(Duration delay) {
        return CompletableFuture.delayedExecutor(
                delay.toMillis(), TimeUnit.MILLISECONDS, DebugSessions::onThreadOfItsOwn);
    }

    /** The end of a debugger waits for its worker, and the threads of timers must not. */
    private static void onThreadOfItsOwn(Runnable work) {
        Thread.ofVirtual().name("debug-end").start(work);
    }

    /** Returns the last debugger of a function on this node, which may have ended a while ago. */
    Optional<DebugSession> find(FunctionName name) {
        return Optional.ofNullable(sessions.get(name));
    }

    /** Ends the debugger of a function if there is one. */
    void stop(FunctionName name) {
        find(name).ifPresent(DebugSession::close);
    }

    @PreDestroy
    void close() {
        sessions.values().forEach(DebugSession::close);
    }
}
