package io.millrace.timers;

/**
 * How far a change feed has been read whose document timers are all in a partition, as the owner wants to note it there.
 *
 * @param expected the mark that the owner expects
 * @param next what is to be noted, a text that is not empty
 */
public record TimerMark(int partition, long epoch, String expected, String next) {}
