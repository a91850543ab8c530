/**
 * Timers of functions: where they are stored, the scan that fires those that are due, and the recovery of timers that
 * a store has lost.
 *
 * <p>{@code delivery}, {@code producer}, {@code functions} and {@code http} use it; it depends on {@code runtime} and
 * {@code definition}.
 */
@NullMarked
package io.millrace.eventing.timers;

import org.jspecify.annotations.NullMarked;
