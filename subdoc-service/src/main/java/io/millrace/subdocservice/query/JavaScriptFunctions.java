package io.millrace.subdocservice.query;

import io.millrace.handler.Handler;
import io.millrace.handler.HandlerEngine;
import io.millrace.handler.HandlerRejected;
import io.millrace.handler.HandlerSpec;
import io.millrace.handler.HandlerSpec.LanguageCompatibility;
import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.ScriptFunctions;
import io.millrace.n1ql.keyspace.FunctionDefinition;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import io.millrace.subdocservice.sandbox.SharedEngine;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;

/**
 * Functions of statements in the sandbox of handlers. Each has a few threads, which only the statements that call it wait for.
 * Arguments and results go as JSON: each argument in an array that is empty for MISSING.
 */
final class JavaScriptFunctions implements ScriptFunctions, AutoCloseable {

    /** Stands behind the code, so that lines are those of the code. */
    private static final String CALL = """
        function OnRequest(request) {
          if (request.args === null) { return {body: [typeof %1$s]}; }
          var value = %1$s.apply(undefined, request.args.map(function (arg) { return arg[0]; }));
          return {body: value === undefined ? [] : [value]};
        }
        """;

    private final SharedEngine engine;
    private final Duration timeout;
    private final Map<FunctionDefinition, Threads> ready = new LinkedHashMap<>(16, 0.75f, true);

    /** @param timeout how long one call may take */
    JavaScriptFunctions(SharedEngine engine, Duration timeout) {
        this.engine = engine;
        this.timeout = timeout;
    }

    /** The threads of one function. Guarded by the functions. */
    private static final class Threads {

        private final Handler compiled;
        private final Deque<FunctionThread> idle = new ArrayDeque<>();
        private final Deque<Waiting> waiting = new ArrayDeque<>();
        private int busy;
        private boolean dropped;

        Threads(Handler compiled) {
            this.compiled = compiled;
        }
    }

    /** A call for which there is no thread yet. */
    private record Waiting(String request, CompletableFuture<Value> answer) {}

    @Override
    public void check(FunctionDefinition function) {
        String name = function.name().function();
        if (!name.matches("[\\p{L}_$][\\p{L}\\p{N}_$]*")) {
            throw refused(function, "a function in JavaScript needs a name that JavaScript allows");
        }
        FunctionThread thread = new FunctionThread(compiled(function), timeout);
        try {
            Value type = thread.call("{\"args\":null}").join();
            if (!(type instanceof StringValue text && text.text().equals("function"))) {
                throw refused(function, "its code does not declare function " + name + "(...)");
            }
        } catch (CompletionException e) {
            throw refused(function, String.valueOf(cause(e).getMessage()));
        } finally {
            thread.close();
        }
    }

    private static Throwable cause(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    private static QueryException refused(FunctionDefinition function, String why) {
        return QueryException.of(
                ErrorCode.SEMANTICS, "Function '%s' cannot be created: %s.".formatted(function.name(), why));
    }

    private Handler compiled(FunctionDefinition function) {
        HandlerEngine running = engine.get()
                .orElseThrow(() -> QueryException.of(
                        ErrorCode.FUNCTION_FAILED,
                        "Functions in JavaScript cannot run in this process; its log says why (event=engine_failed)."));
        HandlerSpec spec = new HandlerSpec(
                "statement-function",
                function.expression() + "\n" + CALL.formatted(function.name().function()),
                List.of(),
                List.of(),
                timeout,
                QueryLimits.FUNCTION_BYTES,
                true,
                LanguageCompatibility.V7_2_0,
                List.of());
        return switch (running.compile(spec)) {
            case Handler accepted -> accepted;
            case HandlerRejected rejected ->
                throw refused(
                        function,
                        rejected.line() == 0
                                ? rejected.message()
                                : "%s (line %d, column %d of its code)"
                                        .formatted(rejected.message(), rejected.line(), rejected.column()));
        };
    }

    @Override
    public CompletableFuture<Value> call(FunctionDefinition function, List<Value> args) {
        String request = args.stream()
                .map(arg -> arg.isMissing() ? "[]" : "[" + arg.toJson() + "]")
                .collect(Collectors.joining(",", "{\"args\":[", "]}"));
        Waiting call = new Waiting(request, new CompletableFuture<>());
        Threads threads = threads(function);
        FunctionThread thread;
        synchronized (this) {
            if (threads.idle.isEmpty() && threads.busy >= QueryLimits.THREADS_OF_FUNCTION) {
                threads.waiting.add(call);
                return call.answer;
            }
            thread = threads.idle.isEmpty() ? new FunctionThread(threads.compiled, timeout) : threads.idle.pop();
            threads.busy++;
        }
        run(threads, thread, call);
        return call.answer;
    }

    private Threads threads(FunctionDefinition function) {
        synchronized (this) {
            Threads known = ready.get(function);
            if (known != null) {
                return known;
            }
        }
        Threads made = new Threads(compiled(function)); // two calls may compile the same function once each
        synchronized (this) {
            Threads known = ready.putIfAbsent(function, made);
            trim();
            return known == null ? made : known;
        }
    }

    private void run(Threads threads, FunctionThread thread, Waiting call) {
        thread.call(call.request).whenComplete((value, failure) -> {
            next(threads, thread);
            if (failure == null) {
                call.answer.complete(value);
            } else {
                call.answer.completeExceptionally(cause(failure));
            }
        });
    }

    /** Gives a thread that has answered to the next call; calls that were given up are left out. */
    private void next(Threads threads, FunctionThread thread) {
        Waiting following;
        synchronized (this) {
            do {
                following = threads.waiting.poll();
            } while (following != null && following.answer.isDone());
            if (following == null) {
                threads.busy--;
                if (threads.dropped) {
                    thread.close();
                } else {
                    threads.idle.push(thread);
                }
            }
        }
        if (following != null) {
            run(threads, thread, following);
        }
    }

    /** The least recently used ones are dropped, replaced ones among them. */
    private synchronized void trim() {
        Iterator<Threads> oldest = ready.values().iterator();
        while (ready.size() > QueryLimits.COMPILED_FUNCTIONS && oldest.hasNext()) {
            drop(oldest.next());
            oldest.remove();
        }
    }

    private static void drop(Threads threads) {
        threads.dropped = true;
        threads.idle.forEach(FunctionThread::close);
        threads.idle.clear();
    }

    @Override
    public synchronized void close() {
        ready.values().forEach(JavaScriptFunctions::drop);
        ready.clear();
    }
}
