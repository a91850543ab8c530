/**
 * Statistics, line insight and logs of functions over HTTP. No other package depends on it.
 */
@NullMarked
package io.millrace.eventing.http.monitoring;

import org.jspecify.annotations.NullMarked;
