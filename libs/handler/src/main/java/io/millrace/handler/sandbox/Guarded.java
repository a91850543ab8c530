package io.millrace.handler.sandbox;

/** Whose invocations a {@link Guard} watches. Called on threads of the engine. */
public interface Guarded {

    /** An invocation cannot be stopped. */
    void stuck(String why);

    /** The heap is full, and this handler keeps the most of it between its invocations. */
    void keepsTooMuch(String why);
}
