package io.millrace.eventing.consumer;

/** What a consumer does with an event that should be handled once more. */
public enum Rejoined {
    /** It is queued for its thread. */
    TAKEN,
    /** It is dropped because a later change of its document is queued or in flight. */
    SUPERSEDED,
    /** It is dropped because the consumer has stopped taking events, or the event is not wanted any more. */
    REFUSED
}
