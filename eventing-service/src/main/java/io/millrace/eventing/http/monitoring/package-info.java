/**
 * What running functions counted, as Couchbase's statistics and as Prometheus metrics, their line insight and their logs,
 * over HTTP. No other package depends on it.
 */
@NullMarked
package io.millrace.eventing.http.monitoring;

import org.jspecify.annotations.NullMarked;
