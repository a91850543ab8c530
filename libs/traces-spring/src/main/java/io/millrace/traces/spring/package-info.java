/**
 * Where spans go: the newest traces of each function are kept in Redis and found there, and all are exported with OTLP where an
 * address is set. For services.
 */
@NullMarked
package io.millrace.traces.spring;

import org.jspecify.annotations.NullMarked;
