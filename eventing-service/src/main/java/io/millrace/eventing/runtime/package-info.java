/**
 * The contract between functions and what runs them: the specification of a function, the interface of the runtime and
 * its statistics; also what all parts of a running function share: its environment, its limits, retries of calls and
 * the signal to stop.
 *
 * <p>Every package above may use it; it depends on {@code consumer} and the three stores.
 */
@NullMarked
package io.millrace.eventing.runtime;

import org.jspecify.annotations.NullMarked;
