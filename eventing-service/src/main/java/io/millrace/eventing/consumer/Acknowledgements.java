package io.millrace.eventing.consumer;

import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Outcome;

/** Hears of events whose outcome is known. Called by one thread per consumer, in any order. */
@FunctionalInterface
public interface Acknowledgements {

    /** The event needs not be sent again: it was handled, a later one replaced it, or it was given up. */
    void acknowledged(Event event, Outcome outcome);
}
