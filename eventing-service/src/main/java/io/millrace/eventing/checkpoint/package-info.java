/**
 * Checkpoints: how far each function has handled each vbucket, kept where a crash of a worker, a service or a node does
 * not lose them, and fenced by an epoch so that a node that lost its vbuckets cannot write.
 *
 * <p>Beside them the dead letters: changes that a function could not handle, kept for people.
 *
 * <p>{@code producer}, {@code http} and {@code consumer} depend on this package; it depends on Lettuce and Jackson alone.
 */
@NullMarked
package io.millrace.eventing.checkpoint;

import org.jspecify.annotations.NullMarked;
