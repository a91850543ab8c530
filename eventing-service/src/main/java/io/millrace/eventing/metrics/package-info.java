/**
 * Counters and histograms of one function on this node, and what is logged about its invocations. {@code stats} shows
 * them.
 *
 * <p>{@code consumer} and the packages above it may use it; it depends on no other package of this service.
 */
@NullMarked
package io.millrace.eventing.metrics;

import org.jspecify.annotations.NullMarked;
