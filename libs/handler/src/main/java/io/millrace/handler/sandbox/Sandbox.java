package io.millrace.handler.sandbox;

import io.millrace.handler.HandlerEngine.RuntimeReport;
import io.millrace.handler.Library;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.SandboxPolicy;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.io.IOAccess;
import org.graalvm.polyglot.io.MessageTransport;

/** Configures the engine so that code reaches only what it is given. */
public final class Sandbox {
    private static final String LANGUAGE = "js";
    /**
     * Buffers are the one kind of host object that code may read, so that binary documents need not be copied byte by
     * byte.
     */
    private static final HostAccess HOST_ACCESS = HostAccess.newBuilder(HostAccess.CONSTRAINED)
            .allowBufferAccess(true)
            .build();

    private Sandbox() {}

    /** An engine and how it runs code. */
    public record Started(Engine engine, RuntimeReport report) {}

    /** Starts an engine. */
    public static Started start() {
        var log = new EngineLog();
        var engine = Engine.newBuilder(LANGUAGE)
                .sandbox(SandboxPolicy.CONSTRAINED)
                .in(InputStream.nullInputStream())
                .out(OutputStream.nullOutputStream())
                .err(OutputStream.nullOutputStream())
                .logHandler(log)
                .build();
        return new Started(engine, log.report(engine.getImplementationName()));
    }

    /**
     * Starts an engine whose code a debugger follows.
     *
     * @param transport receives the one connection of the debugger; no socket is opened
     */
    public static Started startWithDebugger(MessageTransport transport) {
        var log = new EngineLog();
        var engine = Engine.newBuilder(LANGUAGE)
                .in(InputStream.nullInputStream())
                .out(OutputStream.nullOutputStream())
                .err(OutputStream.nullOutputStream())
                .logHandler(log)
                .serverTransport(transport)
                .option("inspect", "0")
                .option("inspect.Suspend", "false")
                .build();
        return new Started(engine, log.report(engine.getImplementationName()));
    }

    /** Makes a context of an engine like that of {@link #startWithDebugger}: the debugger works with trusted contexts only. */
    public static Context trustedContext(Engine engine, List<Library> libraries) {
        return context(engine, SandboxPolicy.TRUSTED, libraries);
    }

    public static Context context(Engine engine) {
        return context(engine, List.of());
    }

    /** @param libraries what its modules and {@link #module} can import; there is nothing else to import */
    public static Context context(Engine engine, List<Library> libraries) {
        return context(engine, SandboxPolicy.CONSTRAINED, libraries);
    }

    private static Context context(Engine engine, SandboxPolicy policy, List<Library> libraries) {
        IOAccess access = libraries.isEmpty()
                ? IOAccess.NONE
                : IOAccess.newBuilder().fileSystem(new LibraryFiles(libraries)).build();
        return Context.newBuilder(LANGUAGE)
                .engine(engine)
                .sandbox(policy)
                .allowHostAccess(HOST_ACCESS)
                .allowIO(access)
                .option("js.load", "false")
                .option("js.print", "false")
                .option("js.console", "false")
                .option("js.graal-builtin", "false")
                .option("js.allow-eval", "false")
                .option("js.esm-eval-returns-exports", "true")
                // an async handler that fails is a handler that fails
                .option("js.unhandled-rejections", "throw")
                .build();
    }

    public static Source source(String name, String text) {
        return Source.newBuilder(LANGUAGE, text, name).cached(true).buildLiteral();
    }

    /** Returns a module, whose value is the namespace of its exports. */
    public static Source module(String name, String text) {
        return module(name, text, false);
    }

    /** Returns one of our own modules, where debuggers do not stop. */
    public static Source ownModule(String name, String text) {
        return module(name, text, true);
    }

    private static Source module(String name, String text, boolean internal) {
        return Source.newBuilder(LANGUAGE, text, name)
                .mimeType("application/javascript+module")
                .cached(true)
                .internal(internal)
                .buildLiteral();
    }

    /** Returns one of our own scripts; its frames stay out of stack traces. */
    public static Source script(String name, String text) {
        return Source.newBuilder(LANGUAGE, text, name).internal(true).buildLiteral();
    }

    /** Reads one of our own scripts, which is a resource of a class; its frames stay out of stack traces. */
    public static Source script(Class<?> owner, String file) {
        try (var in = Objects.requireNonNull(owner.getResourceAsStream(file), file)) {
            var text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return script(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
