/**
 * The MetaKV service: configuration entries with revs and watches, the registry of nodes, and the topology of eventing
 * nodes, kept in a system bucket of the document engine. This package starts it. No module may depend on it; its API is
 * HTTP.
 */
@NullMarked
package io.millrace.metakvservice;

import org.jspecify.annotations.NullMarked;
