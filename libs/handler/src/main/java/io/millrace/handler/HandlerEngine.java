package io.millrace.handler;

import io.millrace.handler.code.CodeCheck;
import io.millrace.handler.code.UserCode;
import io.millrace.handler.host.HandlerHost;
import io.millrace.handler.host.NoHost;
import io.millrace.handler.sandbox.Guard;
import io.millrace.handler.sandbox.GuardTicker;
import io.millrace.handler.sandbox.Guarded;
import io.millrace.handler.sandbox.Retention;
import io.millrace.handler.sandbox.Sandbox;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.io.MessageTransport;

/** The JavaScript engine of a process. There should be one, shared by all handlers of the process. */
public final class HandlerEngine implements AutoCloseable {
    private final Engine engine;
    private final Retention retention;
    private final boolean trusting;
    private final QueryLanguage queries;
    private final RuntimeReport runtime;
    private final GuardTicker ticker = GuardTicker.start();
    private final KnownHandlers known = new KnownHandlers();
    private final Consumer<String> onStuck;
    private final Duration stuckAfter;
    private boolean warm; // guarded by this

    private HandlerEngine(
            QueryLanguage queries,
            Sandbox.Started started,
            boolean trusting,
            Consumer<String> onStuck,
            Duration stuckAfter) {
        this.queries = queries;
        this.trusting = trusting;
        this.warm = trusting; // it is next to one that is warm
        this.engine = started.engine();
        this.retention = Retention.of(engine);
        this.runtime = started.report();
        this.onStuck = onStuck;
        this.stuckAfter = stuckAfter;
    }

    /**
     * Starts an engine, which takes half a second of processor time. It warms up before it compiles the first code, which takes five.
     *
     * @param onStuck called once, on a thread of the engine, when an invocation that was told to stop still runs after
     *     {@link HandlerLimits#STUCK_AFTER_MILLIS}: the process cannot stop it and must end
     */
    public static HandlerEngine start(Consumer<String> onStuck) {
        return start(QueryLanguage.NONE, onStuck);
    }

    /**
     * Starts an engine like {@link #start(Consumer)}.
     *
     * @param queries the language of the statements that code may contain
     */
    public static HandlerEngine start(QueryLanguage queries, Consumer<String> onStuck) {
        return start(queries, onStuck, Duration.ofMillis(HandlerLimits.STUCK_AFTER_MILLIS));
    }

    static HandlerEngine start(Consumer<String> onStuck, Duration stuckAfter) {
        return start(QueryLanguage.NONE, onStuck, stuckAfter);
    }

    private static HandlerEngine start(QueryLanguage queries, Consumer<String> onStuck, Duration stuckAfter) {
        return new HandlerEngine(queries, Sandbox.start(), false, onStuck, stuckAfter);
    }

    private synchronized void warmUp() {
        if (!warm) {
            warm = onBigStack("handler-warm-up", () -> {
                EngineWarmUp.run(this);
                return true;
            });
        }
    }

    /** Returns how code runs here. */
    public RuntimeReport runtime() {
        return runtime;
    }

    /**
     * Compiles code and loads it once on trial, without calling an entry point; neither if that was done lately.
     *
     * @return a {@link Handler} or a {@link HandlerRejected}
     */
    public Compilation compile(HandlerSpec spec) {
        return compile(spec, new NoHost());
    }

    /**
     * Compiles code like {@link #compile(HandlerSpec)}.
     *
     * @param host for the code that runs while it is loaded on trial
     */
    public Compilation compile(HandlerSpec spec, HandlerHost host) {
        return findOr(spec, () -> compiled(spec, host));
    }

    /**
     * Compiles code like {@link #compile(HandlerSpec, HandlerHost)}, but has the first {@link Handler#open} find out whether it can be
     * loaded, if it only declares functions: nothing of it runs then. If that fails with {@link NotLoaded}, {@code compile} returns why
     * the code is rejected.
     */
    public Compilation prepare(HandlerSpec spec, HandlerHost host) {
        return findOr(spec, () -> prepared(spec, host));
    }

    private Compilation findOr(HandlerSpec spec, Supplier<Compilation> compiling) {
        warmUp();
        Optional<Handler> before = known.find(spec);
        return before.isPresent()
                ? before.get()
                : onBigStack(Thread.currentThread().getName() + "-compile", compiling);
    }

    private Compilation prepared(HandlerSpec spec, HandlerHost host) {
        if (KnownHandlers.onlyDeclares(spec)) {
            var code = UserCode.of(spec, queries, engine);
            List<String> entryPoints = CodeCheck.entryPoints(code, spec.language());
            if (!entryPoints.isEmpty()) {
                return new Handler(this, spec, code, entryPoints);
            }
        }
        return compiled(spec, host);
    }

    /** Compiles code for the first time, on a thread on which it may run. */
    Compilation compiled(HandlerSpec spec, HandlerHost host) {
        var code = UserCode.of(spec, queries, engine);
        return switch (CodeCheck.check(engine, code, spec.language(), spec.constants())) {
            case HandlerRejected rejected -> rejected;
            case SyntaxCheck.Accepted accepted ->
                load(new Handler(this, spec, code, accepted.entryPoints()), spec, code, host);
        };
    }

    private Compilation load(Handler handler, HandlerSpec spec, UserCode code, HandlerHost host) {
        try (var trial = new HandlerThread(this, spec, code, host)) {
            return switch (trial.load()) {
                case InvocationResult.Threw threw -> rejected(threw);
                case InvocationResult.TimedOut late ->
                    new HandlerRejected(
                            "Loading the code takes longer than " + HandlerThread.LOAD_TIMEOUT.toSeconds() + " s",
                            0,
                            0);
                case InvocationResult.OutOfMemory big ->
                    new HandlerRejected("Loading the code takes more memory than one invocation may hold", 0, 0);
                case InvocationResult.InternalError error ->
                    throw new IllegalStateException(error.message(), error.cause());
                case InvocationResult.Success success -> {
                    loaded(spec, handler);
                    yield handler;
                }
                case InvocationResult.Skipped skipped -> handler;
            };
        }
    }

    /** Notes that code could be loaded. */
    void loaded(HandlerSpec spec, Handler handler) {
        known.add(spec, handler);
    }

    /** A library that fails has no place in the code, but one of its own. */
    private static HandlerRejected rejected(InvocationResult.Threw threw) {
        String place =
                threw.line() == 0 ? threw.stack().lines().findFirst().orElse("").strip() : "";
        return new HandlerRejected((threw.message() + ' ' + place).strip(), threw.line(), threw.column());
    }

    /** Makes a thread, not yet started, on which {@link Handler#open} may be called: one with a stack of
     * {@link HandlerLimits#STACK_BYTES}. */
    public static Thread newThread(String name, Runnable body) {
        return new Thread(null, body, name, HandlerLimits.STACK_BYTES);
    }

    /** Runs a task on a thread on which code may run, and waits for its result. */
    static <T> T onBigStack(String name, Supplier<T> body) {
        var result = new CompletableFuture<T>();
        newThread(name, () -> {
                    try {
                        result.complete(body.get());
                    } catch (Throwable e) {
                        result.completeExceptionally(e);
                    }
                })
                .start();
        try {
            return result.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /** Starts an engine for {@link Debugger}, next to one that is warm. */
    static HandlerEngine debugged(MessageTransport transport, Consumer<String> onStuck) {
        return trusting(Sandbox.startWithDebugger(transport), onStuck);
    }

    /** Uses an engine that has options which are for trusted contexts only. */
    static HandlerEngine trusting(Sandbox.Started started, Consumer<String> onStuck) {
        return new HandlerEngine(
                QueryLanguage.NONE, started, true, onStuck, Duration.ofMillis(HandlerLimits.STUCK_AFTER_MILLIS));
    }

    Context context(List<Library> libraries) {
        return trusting ? Sandbox.trustedContext(engine, libraries) : Sandbox.context(engine, libraries);
    }

    Engine engine() {
        return engine;
    }

    GuardTicker ticker() {
        return ticker;
    }

    /** Guards the calling thread, which has entered the context. */
    Guard guard(Context context, HandlerSpec spec, HandlerHost host) {
        var guarded = new Guarded() {
            @Override
            public void stuck(String why) {
                host.stuck(why);
                onStuck.accept(why);
            }

            @Override
            public void keepsTooMuch(String why) {
                host.keepsTooMuch(why);
            }
        };
        var kept = retention.ofEnteredContext();
        return new Guard(context, kept, spec.allocationLimitBytes(), stuckAfter, guarded, ticker);
    }

    /** Ends the engine and all invocations that still run in it. */
    @Override
    public void close() {
        ticker.close();
        try {
            engine.close(true);
        } catch (PolyglotException e) {
            // an invocation was cancelled, which is the purpose
        }
    }

    /** The result of compiling code: a {@link Handler} or the reason why the code is rejected. */
    public sealed interface Compilation permits Handler, HandlerRejected {}

    /**
     * How code runs in this process.
     *
     * @param implementation the engine's own name for its runtime
     * @param optimized true when hot code is compiled to machine code, false when all of it is interpreted
     * @param reason the reason, in words
     */
    public record RuntimeReport(String implementation, boolean optimized, String reason) {

        /** Returns {@code optimized: reason} or {@code interpreted: reason}. */
        public String describe() {
            return (optimized ? "optimized: " : "interpreted: ") + reason;
        }
    }
}
