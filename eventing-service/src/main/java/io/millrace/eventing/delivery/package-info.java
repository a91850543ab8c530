/**
 * The way of one event: read from the feed of a shard, filtered, handed to the consumer of its vbucket, acknowledged,
 * retried or kept as a dead letter, and replayed.
 *
 * <p>{@code producer} uses it; it depends on {@code timers}, {@code runtime} and what those depend on.
 */
@NullMarked
package io.millrace.eventing.delivery;

import org.jspecify.annotations.NullMarked;
