/**
 * Fires the timers of functions: scans what is due, has it delivered to workers, and tells the timer store how the
 * callbacks ended.
 *
 * <p>{@code producer} depends on this package; it knows nothing of those above it.
 */
@NullMarked
package io.millrace.eventing.timers;

import org.jspecify.annotations.NullMarked;
