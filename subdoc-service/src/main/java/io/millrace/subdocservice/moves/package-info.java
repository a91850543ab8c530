/**
 * Moves buckets to another Redis for an operator: one move at a time, its progress and its end in the Redis that is left,
 * so that every instance of the service knows it. Depends on {@code documents}; only the HTTP edge depends on it.
 */
@NullMarked
package io.millrace.subdocservice.moves;

import org.jspecify.annotations.NullMarked;
