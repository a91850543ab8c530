/**
 * Firing of timers: the scanner of owned partitions and its loop, retries, and schedules that arm themselves again. Depends on
 * the API in the root package; for the process that owns partitions.
 */
@NullMarked
package io.millrace.timers.firing;

import org.jspecify.annotations.NullMarked;
