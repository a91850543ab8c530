/**
 * Streams in Redis: a document, a list of events, and one Redis function per operation.
 *
 * <p>Only {@link io.millrace.streams.StreamStores} makes this store; it depends on {@code store} and {@code codec}.
 */
@NullMarked
package io.millrace.streams.redis;

import org.jspecify.annotations.NullMarked;
