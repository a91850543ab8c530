package io.millrace.timers.firing;

/** How a callback ended. */
public sealed interface Ending {

    /** It returned, or there is no function of its name any more: the timer is removed. */
    record Done() implements Ending {}

    /** It failed: the timer is fired again, or becomes a dead letter. */
    record Failed(String error) implements Ending {}

    /** It was not called: the timer is due as before. */
    record NotCalled() implements Ending {}

    Ending DONE = new Done();

    Ending NOT_CALLED = new NotCalled();
}
