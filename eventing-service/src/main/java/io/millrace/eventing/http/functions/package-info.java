/**
 * Definitions, lifecycle and status of functions over HTTP, with Couchbase's paths. No other package depends on it.
 */
@NullMarked
package io.millrace.eventing.http.functions;

import org.jspecify.annotations.NullMarked;
