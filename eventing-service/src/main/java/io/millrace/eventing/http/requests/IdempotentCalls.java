package io.millrace.eventing.http.requests;

import io.millrace.eventing.consumer.RequestResult;
import io.millrace.eventing.http.requests.KeptRequest.Ending;
import io.millrace.eventing.idempotency.AnswerStore;
import io.millrace.workerprotocol.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Calls functions once for each {@code Idempotency-Key}. The key is claimed before the function is called, and its answer is
 * kept before it is sent. If the node ends in between, the key stays claimed: the function may have run, so it is not called
 * again.
 */
final class IdempotentCalls {

    /** About what a record takes besides its body. */
    private static final int RECORD_BYTES = 500;

    /** After this time no worker can answer any more. */
    private static final Duration LONGEST = RequestLimits.MAX_TIME.plus(RequestLimits.GRACE);

    private final AnswerStore store;
    private final InstantSource clock;

    IdempotentCalls(AnswerStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    /**
     * What became of a request.
     *
     * @param repeated whether it is what became of an earlier one with the same key
     */
    record Answer(RequestResult result, boolean repeated) {}

    /** Makes a call unless a request with the key has been there; goes on when the client has gone. */
    CompletableFuture<Answer> once(Optional<IdempotencyKey> given, Supplier<CompletableFuture<RequestResult>> call) {
        if (given.isEmpty()) {
            return call.get().thenApply(result -> new Answer(result, false));
        }
        IdempotencyKey key = given.get();
        KeptRequest open = new KeptRequest(key.fingerprint(), clock.instant(), new Ending.Open(UUID.randomUUID()));
        return reachable(key, open, store.claim(key.name(), open.encoded()))
                .thenCompose(known -> known.isPresent()
                        ? CompletableFuture.completedFuture(new Answer(repeated(key, known.get()), true))
                        : first(key, open, call));
    }

    private CompletableFuture<Answer> first(
            IdempotencyKey key, KeptRequest open, Supplier<CompletableFuture<RequestResult>> call) {
        return reachable(key, open, store.reserve(key.function(), RECORD_BYTES)).thenCompose(room -> {
            if (!room) {
                return store.release(key.name(), open.encoded()).thenCompose(done -> {
                    throw Failures.tooManyKeys(key.function());
                });
            }
            return call.get()
                    .thenCompose(result -> end(key, open, result)
                            .handle((kept, failure) ->
                                    new Answer(result, false))); // a key that stays claimed is never called
        });
    }

    private CompletableFuture<Void> end(IdempotencyKey key, KeptRequest open, RequestResult result) {
        if (!called(result)) {
            return store.release(key.name(), open.encoded());
        }
        if (result instanceof RequestResult.Streamed(var response)) {
            Ending streamed = new Ending.NotKept(response.beginning().status());
            return store.replace(key.name(), open.ended(streamed).encoded());
        }
        int length = result instanceof RequestResult.Answered(Outcome outcome, var response)
                ? response.body().bytes().length
                : 0;
        Ending ended = new Ending.Ended(result);
        Ending notKept = new Ending.NotKept(
                result instanceof RequestResult.Answered(Outcome outcome, var response) ? response.status() : 0);
        CompletableFuture<Boolean> room = length > RequestLimits.MAX_KEPT_BODY_BYTES
                ? CompletableFuture.completedFuture(false)
                : store.reserve(key.function(), length);
        return room.thenCompose(fits ->
                store.replace(key.name(), open.ended(fits ? ended : notKept).encoded()));
    }

    private static boolean called(RequestResult result) {
        return switch (result) {
            case RequestResult.NoWorker() -> false;
            case RequestResult.WorkerEnded ignored -> true;
            case RequestResult.Streamed ignored -> true;
            case RequestResult.Answered(Outcome outcome, var response) -> outcome.result() != Outcome.Result.SKIPPED;
        };
    }

    private RequestResult repeated(IdempotencyKey key, byte[] record) {
        KeptRequest kept = KeptRequest.decode(record);
        if (!Arrays.equals(kept.fingerprint(), key.fingerprint())) {
            throw Failures.keyReused();
        }
        Instant latest = kept.begun().plus(LONGEST);
        return switch (kept.ending()) {
            case Ending.Ended(RequestResult result) -> result;
            case Ending.NotKept(int status) -> throw Failures.answerNotKept(status);
            case Ending.Open ignored -> {
                if (clock.instant().isBefore(latest)) {
                    throw Failures.keyInUse();
                }
                yield new RequestResult.WorkerEnded();
            }
        };
    }

    /** Before the function is called, a failure gives the key back: its claim may have taken effect. */
    private <T> CompletableFuture<T> reachable(IdempotencyKey key, KeptRequest open, CompletableFuture<T> stored) {
        return stored.exceptionallyCompose(failure -> {
            store.release(key.name(), open.encoded());
            return CompletableFuture.failedFuture(Failures.storeUnavailable());
        });
    }
}
