package io.millrace.eventing.consumer;

import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Outcome;

/** Receives events whose outcome is known, in any order. Called by one thread per consumer. */
@FunctionalInterface
public interface Acknowledgements {

    /** The event need not be sent again: it was handled, superseded by a later one, or given up. */
    void acknowledged(Event event, Outcome outcome);
}
