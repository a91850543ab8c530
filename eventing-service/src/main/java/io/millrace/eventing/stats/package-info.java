/**
 * What running functions counted, as Couchbase's statistics and as Prometheus metrics.
 *
 * <p>{@code http} depends on this package; it depends only on {@code producer}.
 */
@NullMarked
package io.millrace.eventing.stats;

import org.jspecify.annotations.NullMarked;
