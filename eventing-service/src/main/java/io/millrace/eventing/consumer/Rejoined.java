package io.millrace.eventing.consumer;

/** What becomes of an event that is to be handled once more. */
public enum Rejoined {
    /** It is sent behind what its thread has to do. */
    TAKEN,
    /** A later change of its document is on its way, which says all that is to be said about the document. */
    SUPERSEDED,
    /** Nothing is taken any more, or it is not wanted any more. */
    REFUSED
}
