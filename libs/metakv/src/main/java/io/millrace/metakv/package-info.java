/**
 * MetaKV, the store of what all services must agree on: function definitions, settings, desired states and the registry of
 * nodes. Contains a reactive client and an in-memory implementation, the readable specification. Every service may depend on
 * it; it depends only on reactor-netty and Jackson.
 */
@NullMarked
package io.millrace.metakv;

import org.jspecify.annotations.NullMarked;
