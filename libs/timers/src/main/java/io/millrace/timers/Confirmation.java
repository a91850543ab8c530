package io.millrace.timers;

import java.util.List;

/**
 * Says that callbacks of timers of a partition have returned.
 *
 * @param epoch the owner's, as it was given to {@link TimerStore#take}
 * @param timers as they were claimed
 */
public record Confirmation(int partition, long epoch, List<Timer> timers) {}
