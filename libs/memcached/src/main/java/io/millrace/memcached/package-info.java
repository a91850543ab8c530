/**
 * The memcached binary protocol as Couchbase speaks it, on Netty: frames in and out, the names of opcodes, statuses and
 * features, limits. Knows no store; what a request means is up to whoever depends on this. Facts are from the seed
 * document 004 and Couchbase's protocol documentation.
 */
@NullMarked
package io.millrace.memcached;

import org.jspecify.annotations.NullMarked;
