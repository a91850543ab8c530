package io.millrace.subdocservice.query;

import io.millrace.handler.Handler;
import io.millrace.handler.HandlerEngine;
import io.millrace.handler.HandlerThread;
import io.millrace.handler.InvocationResult;
import io.millrace.handler.ResponseReceiver;
import io.millrace.handler.WebBody;
import io.millrace.handler.WebResponse;
import io.millrace.handler.host.NoHost;
import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.Json;
import io.millrace.n1ql.value.Value;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** A function in JavaScript with a thread of its own. It can reach nothing but its arguments. */
final class FunctionThread implements AutoCloseable {

    private static final WebBody NO_BODY = new WebBody(WebBody.Kind.NONE, new byte[0]);

    private final Handler compiled;
    private final Duration timeout;
    private final ExecutorService thread;
    private @Nullable HandlerThread handler;

    FunctionThread(Handler compiled, Duration timeout) {
        this.compiled = compiled;
        this.timeout = timeout;
        this.thread = Executors.newSingleThreadExecutor(body -> {
            Thread runner = HandlerEngine.newThread("statement-function", body);
            runner.setDaemon(true);
            return runner;
        });
    }

    /** Calls the function with a request, see {@link JavaScriptFunctions}; the future may have a {@link QueryException}. */
    CompletableFuture<Value> call(String request) {
        return CompletableFuture.supplyAsync(() -> run(request.getBytes(StandardCharsets.UTF_8)), thread);
    }

    private Value run(byte[] request) {
        HandlerThread opened = handler == null ? compiled.open(new NoHost()) : handler;
        handler = opened;
        List<WebResponse> responses = new ArrayList<>();
        InvocationResult outcome =
                opened.onRequest(request, NO_BODY, timeout, ResponseReceiver.ofWhole(responses::add));
        return switch (outcome) {
            case InvocationResult.Success success -> value(responses.getFirst());
            case InvocationResult.Threw threw -> throw failed(threw.message(), threw.line(), threw.column());
            case InvocationResult.TimedOut late ->
                throw failed("the call took longer than " + timeout.toMillis() + " ms", late.line(), late.column());
            case InvocationResult.OutOfMemory big ->
                throw failed(
                        "the call needed more than " + (QueryLimits.FUNCTION_BYTES >> 20) + " MiB",
                        big.line(),
                        big.column());
            case InvocationResult.Skipped skipped -> throw new IllegalStateException("no entry point");
            case InvocationResult.InternalError error ->
                throw new IllegalStateException(error.message(), error.cause());
        };
    }

    private static Value value(WebResponse response) {
        ArrayValue values =
                (ArrayValue) Objects.requireNonNull(Json.parse(response.body().bytes()));
        return values.size() == 0 ? Value.MISSING : values.get(0);
    }

    /** The place is that in the code of the function, not in the statement. */
    private static QueryException failed(String why, int line, int column) {
        return QueryException.of(
                ErrorCode.FUNCTION_FAILED,
                line == 0 ? why : "%s (line %d, column %d of its code)".formatted(why, line, column));
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
}
