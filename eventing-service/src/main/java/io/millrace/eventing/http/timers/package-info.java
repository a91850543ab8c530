/**
 * Millrace's own API for timers and dead letters; its errors are problem details. No other package depends on it.
 */
@NullMarked
package io.millrace.eventing.http.timers;

import org.jspecify.annotations.NullMarked;
