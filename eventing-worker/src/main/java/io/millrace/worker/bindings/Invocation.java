package io.millrace.worker.bindings;

import io.millrace.worker.WorkerLimits;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.HttpRequest;
import io.millrace.workerprotocol.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One event on its way through the handler and until its writes are answered. Belongs to one thread. */
public final class Invocation {

    private final Event event;
    private final long giveUpNanos;
    private final @Nullable Trail trail;
    private final boolean isPublic;
    private @Nullable Outcome outcome;
    private @Nullable String writeFailure;
    private @Nullable StoreOutage outage;
    private @Nullable CompletableFuture<?> missed;
    private int messages;

    /** @param giveUpNanos until when the store may keep the handler waiting */
    public Invocation(Event event, long giveUpNanos) {
        this(event, giveUpNanos, Trail.of(event), false);
    }

    private Invocation(Event event, long giveUpNanos, @Nullable Trail trail, boolean isPublic) {
        this.event = event;
        this.giveUpNanos = giveUpNanos;
        this.trail = trail;
        this.isPublic = isPublic;
    }

    /**
     * Returns the invocation of OnRequest for a request.
     *
     * @param none what stands in the place of an event
     * @param request the request
     * @param sinceMicros when the request came, in microseconds since 1970
     * @param giveUpNanos until when the store may keep the handler waiting
     */
    public static Invocation ofRequest(Event none, HttpRequest request, long sinceMicros, long giveUpNanos) {
        Trail trail = Trail.ofRequest(request.trace(), sinceMicros);
        return new Invocation(none, giveUpNanos, trail, request.toPublicFunction());
    }

    /**
     * Returns how long the store may keep an invocation waiting: long enough to help, short enough that the handler can
     * still react.
     */
    public static long patienceNanos(long timeoutMillis) {
        long margin = Math.min(WorkerLimits.HANDLER_MARGIN.toMillis(), timeoutMillis / 5);
        return (timeoutMillis - margin) * 1_000_000;
    }

    Event event() {
        return event;
    }

    long giveUpNanos() {
        return giveUpNanos;
    }

    /** Returns whether it may reach only what the function names, because everyone may send its requests. */
    boolean isPublic() {
        return isPublic;
    }

    /** Returns what it has done, null if it is not traced. */
    public @Nullable Trail trail() {
        return trail;
    }

    public void ended(Outcome how) {
        outcome = how;
    }

    /**
     * Returns an id for the next message that the invocation sends: the same when the event is handled again, a random one if it is
     * no event.
     *
     * @param instance the deployment of the function
     */
    String nextMessageId(String instance) {
        int number = messages++;
        if (event.kind() == Event.Kind.MUTATION && event.seqno() == 0) { // a request, or OnDeploy
            return UUID.randomUUID().toString();
        }
        String name = String.join(
                "\n",
                instance,
                event.kind().name(),
                event.scope(),
                event.collection(),
                event.id(),
                Long.toString(event.seqno()),
                Long.toString(event.cas()),
                Integer.toString(number));
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
    }

    /** Notes that a write could not be carried out; the first reason is kept. */
    void writeFailed(String why) {
        if (writeFailure == null) {
            writeFailure = why;
        }
    }

    /** Returns why a write could not be carried out, null if none is known to have failed. */
    @Nullable
    String writeFailure() {
        return writeFailure;
    }

    /** Notes that the store could not give it what it asked for. */
    void met(StoreOutage found) {
        outage = found;
    }

    /** Returns what kept the store from giving it something, null if nothing is known to have. */
    @Nullable
    StoreOutage outage() {
        return outage;
    }

    /** Notes that it went on without an answer of the store. */
    void missed(CompletableFuture<?> answer) {
        missed = answer;
    }

    /** Returns the answer that it went on without, null if it got all. */
    @Nullable
    CompletableFuture<?> missed() {
        return missed;
    }

    /** Returns how it ended: as the handler did, unless only its writes failed. */
    public Outcome outcome() {
        Outcome ended = outcome;
        if (ended == null) {
            throw new IllegalStateException("The invocation for '%s' has not ended".formatted(event.id()));
        }
        String failure = writeFailure;
        return failure == null || !ended.ok()
                ? ended
                : new Outcome(Outcome.Result.WRITE_FAILED, ended.micros(), failure, 0, 0);
    }
}
