package io.millrace.timers;

/** A partition and the millisecond at which its earliest timer is due; the timer may have been removed meanwhile. */
public record DirectoryEntry(int partition, long due) {}
