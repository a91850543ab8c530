/**
 * Event streams: categories of streams, access strategies, caching and deciders (Equinox's model), and {@link
 * io.millrace.streams.StreamEvents} for single streams without a model.
 *
 * <p>Services and users' own programs may depend on this package, on {@code store} (names, events, the store's
 * interface) and on {@code codec}; {@code redis} and {@code memory} are reached through {@link
 * io.millrace.streams.StreamStores}. The module depends on documents and on no framework.
 */
@NullMarked
package io.millrace.streams;

import org.jspecify.annotations.NullMarked;
