package io.millrace.subdocservice.couch;

import io.millrace.couch.CouchException;
import io.millrace.couch.FilterFunctions.Kind;
import io.millrace.couch.FilterFunctions.Verdict;
import io.millrace.handler.EventMeta;
import io.millrace.handler.Handler;
import io.millrace.handler.HandlerEngine;
import io.millrace.handler.HandlerEngine.Compilation;
import io.millrace.handler.HandlerRejected;
import io.millrace.handler.HandlerSpec;
import io.millrace.handler.HandlerSpec.LanguageCompatibility;
import io.millrace.handler.HandlerThread;
import io.millrace.handler.InvocationResult;
import io.millrace.handler.host.NoHost;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * A function of a design document, compiled as a handler that logs a line when a document passes, or what a validation
 * throws.
 */
final class SandboxedFunction implements AutoCloseable {

    private static final long ALLOCATION_LIMIT_BYTES = 256L << 20;
    private static final EventMeta NO_META = new EventMeta("", "", "", "", 0, 0, 0, 0, 0, false);
    private static final String PROLOGUE = """
        function OnUpdate(sent, meta) {
          var pass = log;
          var run = (function (log, emit, isArray, toJSON, sum) { return (\
        """;
    private static final String EPILOGUE = """

          ); })(function () {}, %s, Array.isArray, JSON.stringify,
            function (all) { return all.reduce(function (a, b) { return a + b; }, 0); });
          %s
        }
        """;

    private static final String VALIDATE = """
        try {
            run(sent.doc.newDoc, sent.doc.oldDoc, sent.doc.userCtx, sent.doc.secObj);
          } catch (e) {
            var known = e !== null && typeof e === 'object' && ('forbidden' in e || 'unauthorized' in e);
            pass(known ? {forbidden: e.forbidden, unauthorized: e.unauthorized} : {failure: String(e)});
          }\
        """;

    /** How many feeds use it; guarded by {@link SandboxedFunctions}. */
    int users;

    private final Kind kind;
    private final ExecutorService thread;
    private final Witness witness = new Witness();
    private @Nullable HandlerThread handler;

    private SandboxedFunction(Kind kind) {
        this.kind = kind;
        this.thread = Executors.newSingleThreadExecutor(body -> {
            Thread runner = HandlerEngine.newThread("couch-filter", body);
            runner.setDaemon(true);
            return runner;
        });
    }

    /** Compiles a function; throws a {@link CouchException} when it does not compile. */
    static SandboxedFunction start(HandlerEngine engine, Kind kind, String source, Duration timeout) {
        HandlerSpec spec = new HandlerSpec(
                "design-function",
                wrapped(kind, source),
                List.of(),
                List.of(),
                timeout,
                ALLOCATION_LIMIT_BYTES,
                true,
                LanguageCompatibility.V7_2_0,
                List.of());
        Compilation compiled = engine.compile(spec);
        return switch (compiled) {
            case HandlerRejected rejected ->
                throw CouchException.badRequest("compilation_error: " + rejected.message());
            case Handler accepted -> {
                SandboxedFunction function = new SandboxedFunction(kind);
                function.call(() -> function.handler = accepted.open(function.witness));
                yield function;
            }
        };
    }

    private static String wrapped(Kind kind, String source) {
        return PROLOGUE
                + source
                + switch (kind) {
                    case FILTER -> EPILOGUE.formatted("function () {}", "if (run(sent.doc, sent.req)) { pass('1'); }");
                    case MAP -> EPILOGUE.formatted("function () { pass('1'); }", "run(sent.doc);");
                    case VALIDATION -> EPILOGUE.formatted("function () {}", VALIDATE);
                };
    }

    Verdict test(byte[] document, byte[] request) {
        byte[] argument = argument(document, request);
        return call(() -> {
            witness.line = null;
            if (handler == null) {
                throw new IllegalStateException("not started");
            }
            return verdict(handler.onUpdate(NO_META, argument, null));
        });
    }

    private static byte[] argument(byte[] document, byte[] request) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(document.length + request.length + 20);
        out.writeBytes("{\"doc\":".getBytes(StandardCharsets.US_ASCII));
        out.writeBytes(document);
        if (request.length > 0) {
            out.writeBytes(",\"req\":".getBytes(StandardCharsets.US_ASCII));
            out.writeBytes(request);
        }
        out.write('}');
        return out.toByteArray();
    }

    private Verdict verdict(InvocationResult outcome) {
        return switch (outcome) {
            case InvocationResult.Success success ->
                kind == Kind.VALIDATION
                        ? new Verdict(witness.line == null, witness.line)
                        : new Verdict(witness.line != null, null);
            case InvocationResult.Threw threw -> new Verdict(false, threw.message());
            case InvocationResult.TimedOut late -> new Verdict(false, "The function takes too long");
            case InvocationResult.OutOfMemory big -> new Verdict(false, "The function takes too much memory");
            case InvocationResult.Skipped skipped -> new Verdict(false, "The function did not run");
            case InvocationResult.InternalError error ->
                throw new IllegalStateException(error.message(), error.cause());
        };
    }

    private interface Call<T> {
        T make();
    }

    private <T> T call(Call<T> call) {
        try {
            return CompletableFuture.supplyAsync(call::make, thread).get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        thread.execute(() -> {
            if (handler != null) {
                handler.close();
            }
        });
        thread.shutdown();
    }

    /** Records what is logged; the function can reach nothing else. */
    private static final class Witness extends NoHost {
        private @Nullable String line;

        @Override
        public void log(LogLevel level, String logged) {
            line = logged;
        }
    }
}
