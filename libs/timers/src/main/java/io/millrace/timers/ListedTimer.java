package io.millrace.timers;

/**
 * A timer as it is looked at.
 *
 * @param firing whether its callback has been called and not returned
 */
public record ListedTimer(Timer timer, boolean firing) {}
