/**
 * Timers in memory: the readable specification of a {@link io.millrace.timers.TimerStore}, for tests.
 */
@NullMarked
package io.millrace.timers.memory;

import org.jspecify.annotations.NullMarked;
