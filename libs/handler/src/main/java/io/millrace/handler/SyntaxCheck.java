package io.millrace.handler;

import io.millrace.handler.code.CodeCheck;
import io.millrace.handler.code.UserCode;
import io.millrace.handler.sandbox.Sandbox;
import java.util.List;
import org.graalvm.polyglot.Engine;
import org.jspecify.annotations.Nullable;

/**
 * Checks code without running it, when a function is saved, outside of worker processes. Thread-safe; the
 * first check takes about a second, later ones milliseconds.
 */
public final class SyntaxCheck implements AutoCloseable {
    private final QueryLanguage queries;
    private @Nullable Engine engine;

    /** Does nothing yet: the engine is made by the first check. Knows no statements. */
    public SyntaxCheck() {
        this(QueryLanguage.NONE);
    }

    /** Does nothing yet: the engine is made by the first check. */
    public SyntaxCheck(QueryLanguage queries) {
        this.queries = queries;
    }

    /**
     * Checks code as {@link HandlerEngine#compile} will, short of loading it.
     *
     * @return {@link Accepted} or a {@link HandlerRejected}
     */
    public Result check(HandlerSpec spec) {
        var engine = engine();
        return HandlerEngine.onBigStack(
                "handler-check",
                () -> CodeCheck.check(engine, UserCode.of(spec, queries, engine), spec.language(), spec.constants()));
    }

    /**
     * Checks a library, which is not run.
     *
     * @param others what it may import
     * @return what is wrong with it, with lines of the library; nothing if it can be imported
     */
    public List<HandlerRejected.Mistake> check(Library library, List<Library> others) {
        var engine = engine();
        return HandlerEngine.onBigStack("library-check", () -> CodeCheck.check(engine, library, others));
    }

    /** Returns the statements that stand in code, as they are run, without checking it. */
    public List<String> statements(HandlerSpec spec) {
        return UserCode.statements(spec, queries);
    }

    private synchronized Engine engine() {
        if (engine == null) {
            engine = Sandbox.start().engine();
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

    /**
     * Code that can be a handler.
     *
     * @param entryPoints the entry points that the code declares, out of {@code OnUpdate}, {@code OnDelete}, {@code
     *     OnDeploy}, {@code OnRequest}, {@code OnEvent}, {@code OnMessage}
     */
    public record Accepted(List<String> entryPoints) implements Result {
        public Accepted {
            entryPoints = List.copyOf(entryPoints);
        }
    }
}
