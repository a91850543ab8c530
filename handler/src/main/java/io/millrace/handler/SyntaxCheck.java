package io.millrace.handler;

import java.util.List;
import org.graalvm.polyglot.Engine;
import org.jspecify.annotations.Nullable;

/**
 * Looks at code without running any of it: at save time, outside of worker processes. Safe for use by many threads; the
 * first check takes about a second, later ones milliseconds.
 */
public final class SyntaxCheck implements AutoCloseable {
    private @Nullable Engine engine;

    /** Does nothing yet: the engine is made by the first check. */
    public SyntaxCheck() {}

    /**
     * Checks code as {@link HandlerEngine#compile} will, short of loading it.
     *
     * @return {@link Accepted} or a {@link HandlerRejected}
     */
    public Result check(HandlerSpec spec) {
        var engine = engine();
        return HandlerEngine.onBigStack(
                "handler-check", () -> CodeCheck.check(engine, UserCode.of(spec), spec.language(), spec.constants()));
    }

    private synchronized Engine engine() {
        if (engine == null) {
            engine = Sandbox.engine(new EngineLog());
        }
        return engine;
    }

    @Override
    public synchronized void close() {
        if (engine != null) {
            engine.close(true);
            engine = null;
        }
    }

    /** What a check finds. */
    public sealed interface Result permits Accepted, HandlerRejected {}

    /** @param entryPoints the entry points that the code declares, out of {@code OnUpdate}, {@code OnDelete}, {@code OnDeploy} */
    public record Accepted(List<String> entryPoints) implements Result {}
}
