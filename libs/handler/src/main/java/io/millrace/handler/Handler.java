package io.millrace.handler;

import io.millrace.handler.HandlerEngine.Compilation;
import io.millrace.handler.code.UserCode;
import io.millrace.handler.host.HandlerHost;
import java.util.List;

/** Code that was checked and can run. Thread-safe. */
public final class Handler implements Compilation {
    private final HandlerEngine engine;
    private final HandlerSpec spec;
    private final UserCode code;
    private final List<String> entryPoints;

    Handler(HandlerEngine engine, HandlerSpec spec, UserCode code, List<String> entryPoints) {
        this.engine = engine;
        this.spec = spec;
        this.code = code;
        this.entryPoints = entryPoints;
    }

    /** Returns the same code in another engine. */
    Handler in(HandlerEngine other) {
        return new Handler(other, spec, code, entryPoints);
    }

    /**
     * Returns the entry points that the code declares, out of {@code OnUpdate}, {@code OnDelete}, {@code OnDeploy}, {@code
     * OnRequest}, {@code OnEvent}, {@code OnMessage}.
     */
    public List<String> entryPoints() {
        return entryPoints;
    }

    /** Returns whether the code may run statements. */
    public boolean usesQueries() {
        return code.usesQueries();
    }

    /** Returns the statements that stand in the code, as they are run. Those of imported libraries are not among them. */
    public List<String> statements() {
        return code.statements();
    }

    /**
     * Loads the code for the calling thread, which should come from {@link HandlerEngine#newThread}: no other thread
     * may use the result.
     *
     * @throws NotLoaded if the code cannot be loaded, which {@link HandlerEngine#compile} would have found
     */
    public HandlerThread open(HandlerHost host) {
        var thread = new HandlerThread(engine, spec, code, host);
        var outcome = thread.load();
        if (!(outcome instanceof InvocationResult.Success)) {
            thread.close();
            throw new NotLoaded("The code cannot be loaded: " + outcome);
        }
        engine.loaded(spec, this);
        return thread;
    }
}
