package io.millrace.eventing.consumer;

import io.millrace.eventing.metrics.Counters;
import io.millrace.eventing.metrics.DeliveryMetrics;
import io.millrace.eventing.metrics.FunctionLog;
import io.millrace.workerprotocol.Frame;
import java.io.IOException;

/** Takes what a worker may send at any time: log lines, counts, spans, and the answers to calls. */
record Reports(FunctionLog log, Counters counters, DeliveryMetrics metrics, Calls calls) {

    void take(Frame frame) throws IOException {
        switch (frame) {
            case Frame.Log lines -> log.append(lines.lines());
            case Frame.Counters deltas -> counters.add(deltas.deltas());
            case Frame.Insight seen -> metrics.seen(seen);
            case Frame.Spans traced -> log.traced(traced.spans());
            case Frame.Deployed answer -> calls.answered(answer);
            case Frame.Response answer -> calls.answered(answer);
            case Frame.Begun answer -> calls.answered(answer);
            case Frame.Part answer -> calls.answered(answer);
            case Frame.Swapped answer -> calls.answered(answer);
            case Frame.Rejected answer -> calls.answered(answer);
            default ->
                throw new IOException("The worker sent an unexpected frame: "
                        + frame.getClass().getSimpleName());
        }
    }
}
