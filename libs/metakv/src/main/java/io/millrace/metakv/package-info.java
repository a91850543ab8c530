/**
 * MetaKV, the small store for what all services must agree on: function definitions, settings, desired states, and the
 * registry of nodes. Holds the records, the reactive client, and an in-memory implementation that is the readable
 * specification. Every service may depend on it; it depends on reactor-netty and Jackson and on no framework.
 */
@NullMarked
package io.millrace.metakv;

import org.jspecify.annotations.NullMarked;
