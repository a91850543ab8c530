package io.millrace.eventing.consumer;

/** Hears of events whose outcome is known. Called by one thread per consumer, in any order. */
@FunctionalInterface
public interface Acknowledgements {

    /** The event needs not be sent again: it was handled, or given up. */
    void acknowledged(int vbucket, long seqno);
}
