/**
 * The memcached binary protocol with Couchbase's extensions, on Netty: frames, opcodes, statuses, features and limits. It
 * does not access a store; the caller gives requests their meaning. Sources: the seed document 004 and Couchbase's protocol
 * documentation. subdoc-service, benchmarks and tests depend on it.
 */
@NullMarked
package io.millrace.memcached;

import org.jspecify.annotations.NullMarked;
