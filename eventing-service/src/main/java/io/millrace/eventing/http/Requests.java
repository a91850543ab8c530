package io.millrace.eventing.http;

import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.runtime.DeployRejected;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Reads flags of requests, and runs and awaits their work. */
public final class Requests {

    private Requests() {}

    /** Runs blocking work on a thread that may block. */
    public static <T> Mono<T> work(Callable<T> work) {
        return Mono.fromCallable(work).subscribeOn(Schedulers.boundedElastic());
    }

    /** Returns a flag of the query, or null if it is absent; fails with ERR_INVALID_REQUEST. */
    public static @Nullable Boolean flag(String name, @Nullable String value) {
        if (value == null || value.isEmpty()) {
            return null;
        }
        return switch (value) {
            case "true" -> Boolean.TRUE;
            case "false" -> Boolean.FALSE;
            default ->
                throw FunctionsException.of(
                        ErrorCode.ERR_INVALID_REQUEST, "%s must be true or false, not '%s'.".formatted(name, value));
        };
    }

    /** Waits, on a thread that may block, and throws the error that the client gets. */
    public static <T> T get(CompletableFuture<T> call) throws Exception {
        try {
            return call.get();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case DeployRejected rejected ->
                    throw FunctionsException.of(
                            ErrorCode.ERR_HANDLER_COMPILATION,
                            "%s (line %d, column %d)"
                                    .formatted(rejected.getMessage(), rejected.line(), rejected.column()));
                case FunctionsException known -> throw known;
                case null, default ->
                    throw FunctionsException.of(ErrorCode.ERR_REQUESTED_OP_FAILED, String.valueOf(e.getCause()));
            }
        }
    }
}
