/**
 * The other eventing nodes, asked over HTTP. Controllers depend on it; it depends on {@code http} alone.
 */
@NullMarked
package io.millrace.eventing.http.peers;

import org.jspecify.annotations.NullMarked;
