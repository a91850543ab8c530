/**
 * The registry of nodes and the topology of eventing nodes, kept as entries. No other package depends on it.
 */
@NullMarked
package io.millrace.metakvservice.cluster;

import org.jspecify.annotations.NullMarked;
