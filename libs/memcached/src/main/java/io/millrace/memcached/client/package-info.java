/**
 * A blocking client of the protocol for tests, benchmarks and tools. It shows exactly what is on the wire, without retries
 * and without knowledge of a cluster.
 */
@NullMarked
package io.millrace.memcached.client;

import org.jspecify.annotations.NullMarked;
