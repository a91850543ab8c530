/**
 * Running functions: the super supervisor of a node and one producer per function, which reads the change feed of the
 * source, hands each event to the worker that owns its vbucket and moves the checkpoints behind the acknowledgements.
 *
 * <p>{@code functions} and {@code http} depend on this package through {@link FunctionRuntime}; it depends on
 * {@code consumer} and {@code checkpoint}.
 */
@NullMarked
package io.millrace.eventing.producer;

import org.jspecify.annotations.NullMarked;
