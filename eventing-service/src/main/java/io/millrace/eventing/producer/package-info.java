/**
 * Running functions: one producer per function, the vbuckets that it owns on this node, their checkpoints, and the
 * leases that protect them. Implements {@link io.millrace.eventing.runtime.FunctionRuntime}.
 *
 * <p>No other package uses it; it depends on {@code delivery} and what that depends on.
 */
@NullMarked
package io.millrace.eventing.producer;

import org.jspecify.annotations.NullMarked;
