/**
 * Moves of buckets to another Redis, one at a time. The state of a move is stored in the old Redis, so every process of the
 * service can return it. Depends on {@code documents}; {@code rest} depends on it.
 */
@NullMarked
package io.millrace.subdocservice.moves;

import org.jspecify.annotations.NullMarked;
