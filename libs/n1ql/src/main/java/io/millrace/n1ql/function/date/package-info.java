/**
 * Functions of dates, and the formats, time zones and durations that they understand.
 *
 * <p>The registry depends on it; it depends on {@code function.spec}.
 */
@NullMarked
package io.millrace.n1ql.function.date;

import org.jspecify.annotations.NullMarked;
