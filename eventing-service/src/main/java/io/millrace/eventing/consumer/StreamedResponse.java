package io.millrace.eventing.consumer;

import io.millrace.workerprotocol.HttpResponse;
import io.millrace.workerprotocol.Outcome;
import io.millrace.workerprotocol.WorkerProtocolLimits;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/**
 * A response whose body a worker gives in parts. The worker waits when {@link #taken} does not keep up with it, so that few parts
 * wait here. Thread-safe.
 */
public final class StreamedResponse {

    /** So many bytes are reported together. */
    private static final long REPORTED_BYTES = WorkerProtocolLimits.STREAM_WINDOW_BYTES / 4;

    /** Tells the worker how the client gets on; does not block. */
    public interface Client {
        void taken(long bytes);

        void gone();
    }

    private final HttpResponse beginning;
    private final Client client;
    private final Sinks.Many<byte[]> parts = Sinks.many().unicast().onBackpressureBuffer();
    private final CompletableFuture<Outcome> ended = new CompletableFuture<>();
    private final AtomicLong unreported = new AtomicLong();

    /** @param beginning status, headers, and the first part of the body */
    public StreamedResponse(HttpResponse beginning, Client client) {
        this.beginning = beginning;
        this.client = client;
        part(beginning.body().bytes());
    }

    /** Returns status and headers; the kind of the body is that of its first part. */
    public HttpResponse beginning() {
        return beginning;
    }

    /** Returns the body, for one subscriber. Fails when the handler does. */
    public Flux<byte[]> parts() {
        return parts.asFlux();
    }

    /** Completes with how the handler has ended; never fails. */
    public CompletableFuture<Outcome> ended() {
        return ended.copy();
    }

    /** Says that the client has taken so many bytes. */
    public void taken(int bytes) {
        if (unreported.addAndGet(bytes) >= REPORTED_BYTES) {
            client.taken(unreported.getAndSet(0));
        }
    }

    /** Says that nothing more is wanted: the handler ends its response. */
    public void abandon() {
        if (!ended.isDone()) {
            client.gone();
        }
    }

    /** Takes the next part from the worker. */
    public void part(byte[] bytes) {
        if (bytes.length > 0) {
            parts.tryEmitNext(bytes); // fails when the client has gone
        }
    }

    /** Ends the response as its handler did. */
    public void end(Outcome outcome) {
        ended.complete(outcome);
        if (outcome.ok()) {
            parts.tryEmitComplete();
        } else {
            parts.tryEmitError(
                    new IOException("The function failed in the middle of its response: " + outcome.message()));
        }
    }
}
