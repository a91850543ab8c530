package io.millrace.handler.sandbox;

import com.oracle.truffle.api.TruffleContext;
import com.oracle.truffle.api.instrumentation.TruffleInstrument;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.jspecify.annotations.Nullable;

/** Measures what contexts keep. A part of the engine, which alone may ask for that. */
public final class Retention extends TruffleInstrument {

    static final String ID = "millrace-retention";

    private @Nullable Env env;
    private @Nullable Engine engine;

    /** Returns the one of an engine. */
    public static Retention of(Engine engine) {
        Retention retention =
                Objects.requireNonNull(engine.getInstruments().get(ID)).lookup(Retention.class);
        retention.engine = engine;
        return retention;
    }

    @Override
    protected void onCreate(Env created) {
        env = created;
        created.registerService(this);
    }

    /**
     * Returns what measures the context that the calling thread has entered, in bytes: all that is reachable from its globals
     * and functions. The measurement takes some 10 ms for each MiB, while code may run, and finds nothing where code is
     * interpreted.
     */
    public Supplier<OptionalLong> ofEnteredContext() {
        Env own = Objects.requireNonNull(env);
        TruffleContext context = own.getEnteredContext();
        Engine its = Objects.requireNonNull(engine);
        return () -> measure(its, own, context);
    }

    /** Code that runs is asked for what is on its stack, and only a thread in a context may wait for that. */
    private static OptionalLong measure(Engine engine, Env env, TruffleContext context) {
        try (Context waiting = Sandbox.context(engine)) {
            waiting.enter();
            try {
                return OptionalLong.of(env.calculateContextHeapSize(context, Long.MAX_VALUE, new AtomicBoolean()));
            } finally {
                waiting.leave();
            }
        } catch (UnsupportedOperationException e) {
            return OptionalLong.empty();
        }
    }
}
