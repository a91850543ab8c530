/**
 * Worker processes: starts them, sends batches of events to them, and replaces a worker that ends or does not answer.
 *
 * <p>{@code runtime}, {@code delivery} and {@code producer} use it; it depends on {@code metrics} alone.
 */
@NullMarked
package io.millrace.eventing.consumer;

import org.jspecify.annotations.NullMarked;
