package io.millrace.timers;

/**
 * Asks for the timers of a partition that are due.
 *
 * @param epoch the owner's, as it was given to {@link TimerStore#take}
 * @param nonce names this claim; the same again repeats a claim whose answer was lost
 * @param now the owner's clock in milliseconds
 * @param limit the most timers
 */
public record Claim(int partition, long epoch, String nonce, long now, int limit) {}
