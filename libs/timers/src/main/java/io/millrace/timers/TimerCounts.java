package io.millrace.timers;

/**
 * How many timers a function has.
 *
 * @param pending those that wait, due or not
 * @param firing those whose callback has been called and not returned
 * @param dead dead letters
 */
public record TimerCounts(long pending, long firing, long dead) {

    public static final TimerCounts NONE = new TimerCounts(0, 0, 0);

    public TimerCounts plus(TimerCounts other) {
        return new TimerCounts(pending + other.pending, firing + other.firing, dead + other.dead);
    }
}
