/**
 * A small blocking client of the protocol, for tests, benchmarks and tools: what it sends and receives is what is on the
 * wire, without retries or knowledge of a cluster.
 */
@NullMarked
package io.millrace.memcached.client;

import org.jspecify.annotations.NullMarked;
