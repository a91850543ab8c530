package io.millrace.streams;

import io.millrace.streams.CategoryStreams.Outcome;
import io.millrace.streams.store.Limits;
import io.millrace.streams.store.StreamName;
import io.millrace.streams.store.StreamsException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Makes decisions on one stream: loads its state, calls a decision function, and appends the events that it returns if
 * the stream has not changed meanwhile. If it has, the function is called again with the new state. No call blocks.
 * Decision functions are called once per attempt and must have no side effects. They and render functions run on virtual
 * threads; the functions of the category run on the thread that receives the answer.
 *
 * <p>Futures may fail with {@link MaxResyncsExhaustedException}, {@link StreamsException},
 * {@link io.millrace.documents.DocumentsException} or what a function threw.
 */
public final class Decider<S, E> {

    /** Functions of callers may be slow and must not occupy a network thread. */
    private static final Executor FOR_CALLERS = Thread::startVirtualThread;

    private final CachedStreams<S, E> streams;
    private final StreamName stream;
    private final int maxAttempts;

    Decider(CachedStreams<S, E> streams, StreamName stream) {
        this(streams, stream, Limits.DEFAULT_ATTEMPTS);
    }

    private Decider(CachedStreams<S, E> streams, StreamName stream, int maxAttempts) {
        this.streams = streams;
        this.stream = stream;
        this.maxAttempts = maxAttempts;
    }

    /** Returns a decider that makes at most this many attempts, 1 or more. */
    public Decider<S, E> attempts(int max) {
        if (max < 1) {
            throw new IllegalArgumentException("The number of attempts must be at least 1, but is " + max);
        }
        return new Decider<>(streams, stream, max);
    }

    public StreamName stream() {
        return stream;
    }

    /** Appends the events that the function returns for the state; an empty list appends nothing. */
    public CompletableFuture<Void> transact(Function<S, List<E>> interpret) {
        return transact(interpret, LoadOption.requireLoad());
    }

    /** As {@link #transact(Function)}, with an option for where the state is taken from. */
    public CompletableFuture<Void> transact(Function<S, List<E>> interpret, LoadOption<S> load) {
        return run(context -> Decision.of(context, interpret.apply(context.state())), load)
                .thenAccept(done -> {});
    }

    /** Appends the events that the function returns for the state, and returns a rendering of the state after them. */
    public <R> CompletableFuture<R> transact(Function<S, List<E>> interpret, Function<S, R> render) {
        return run(context -> Decision.of(context, interpret.apply(context.state())), LoadOption.requireLoad())
                .thenApplyAsync(done -> render.apply(done.after.state()), FOR_CALLERS);
    }

    /** Appends the events of a decision and returns its result. */
    public <R> CompletableFuture<R> transactResult(Function<S, Decision<R, E>> decide) {
        return transactResult(decide, LoadOption.requireLoad());
    }

    /** As {@link #transactResult(Function)}, with an option for where the state is taken from. */
    public <R> CompletableFuture<R> transactResult(Function<S, Decision<R, E>> decide, LoadOption<S> load) {
        return transactContext(context -> decide.apply(context.state()), load);
    }

    /** As {@link #transactResult(Function, LoadOption)}, for decisions that need the version or etag. */
    public <R> CompletableFuture<R> transactContext(
            Function<SyncContext<S>, Decision<R, E>> decide, LoadOption<S> load) {
        return run(decide, load).thenApply(Done::result);
    }

    /** Returns a rendering of the state. */
    public <R> CompletableFuture<R> query(Function<S, R> render) {
        return query(render, LoadOption.requireLoad());
    }

    /** As {@link #query(Function)}, with an option for where the state is taken from. */
    public <R> CompletableFuture<R> query(Function<S, R> render, LoadOption<S> load) {
        return queryContext(context -> render.apply(context.state()), load);
    }

    /** As {@link #query(Function, LoadOption)}, for callers that need the version or etag. */
    public <R> CompletableFuture<R> queryContext(Function<SyncContext<S>, R> render, LoadOption<S> load) {
        return streams.load(stream, load).thenApplyAsync(loaded -> render.apply(context(loaded)), FOR_CALLERS);
    }

    private record Done<S, R>(R result, Loaded<S> after) {}

    private <R> CompletableFuture<Done<S, R>> run(Function<SyncContext<S>, Decision<R, E>> decide, LoadOption<S> load) {
        return streams.load(stream, load).thenComposeAsync(loaded -> attempt(decide, loaded, 1), FOR_CALLERS);
    }

    private <R> CompletableFuture<Done<S, R>> attempt(
            Function<SyncContext<S>, Decision<R, E>> decide, Loaded<S> at, int number) {
        Decision<R, E> decision = decide.apply(context(at));
        if (decision.events().isEmpty()) {
            return CompletableFuture.completedFuture(new Done<>(decision.result(), at));
        }
        return streams.sync(stream, at, decision.events()).thenCompose(outcome -> switch (outcome) {
            case Outcome.Written<S>(Loaded<S> after) ->
                CompletableFuture.completedFuture(new Done<>(decision.result(), after));
            case Outcome.Conflict<S>(var resync) ->
                number == maxAttempts
                        ? CompletableFuture.failedFuture(new MaxResyncsExhaustedException(stream, maxAttempts))
                        : resync.get().thenComposeAsync(newer -> attempt(decide, newer, number + 1), FOR_CALLERS);
        });
    }

    private static <S> SyncContext<S> context(Loaded<S> loaded) {
        return new SyncContext<>(loaded.token().version(), loaded.token().etag(), loaded.state());
    }

    /**
     * A decision: a result for the caller, and the events to append; an empty list appends nothing.
     */
    public record Decision<R, E>(R result, List<E> events) {

        public static <R, E> Decision<R, E> of(R result, List<E> events) {
            return new Decision<>(result, events);
        }
    }

    /**
     * A state with its version and etag, for decisions that need them.
     *
     * @param version how many events the stream has had
     * @param etag of the stream, 0 if it does not exist
     */
    public record SyncContext<S>(long version, long etag, S state) {}
}
