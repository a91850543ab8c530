/**
 * What a stream store keeps and how it is asked: names, events, tips, pages, syncs and their results.
 *
 * <p>Every package of this module and other modules may depend on it; it depends on no other package of streams.
 */
@NullMarked
package io.millrace.streams.store;

import org.jspecify.annotations.NullMarked;
