/**
 * Streams in memory: the readable specification of the store.
 *
 * <p>Only {@link io.millrace.streams.StreamStores} makes this store; it depends on {@code store} and {@code codec}.
 */
@NullMarked
package io.millrace.streams.memory;

import org.jspecify.annotations.NullMarked;
