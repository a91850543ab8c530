package io.millrace.eventing.consumer;

import io.millrace.workerprotocol.HttpResponse;
import io.millrace.workerprotocol.Outcome;

/** What became of a request for OnRequest. */
public sealed interface RequestResult {

    /**
     * The worker has answered.
     *
     * @param response what the handler returned; empty unless the outcome is a success
     */
    record Answered(Outcome outcome, HttpResponse response) implements RequestResult {}

    /** The worker has begun to answer. */
    record Streamed(StreamedResponse response) implements RequestResult {}

    /** No worker runs the function here now, so the handler was not called. */
    record NoWorker() implements RequestResult {}

    /** The worker ended before it answered; the handler may have run, wholly or in part. */
    record WorkerEnded() implements RequestResult {}
}
