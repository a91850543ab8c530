package io.millrace.handler;

/** Code that was checked could not be loaded into a thread. */
public final class NotLoaded extends IllegalStateException {

    /** @param message why */
    public NotLoaded(String message) {
        super(message);
    }
}
