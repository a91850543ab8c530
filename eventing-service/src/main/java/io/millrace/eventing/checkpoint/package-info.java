/**
 * Checkpoints: how far each function has handled each vbucket, kept where a crash of a worker, a service or a node does
 * not lose them, and fenced by an epoch so that a node that lost its vbuckets cannot write.
 *
 * <p>{@code producer} and {@code consumer} depend on this package; it depends on Lettuce alone.
 */
@NullMarked
package io.millrace.eventing.checkpoint;

import org.jspecify.annotations.NullMarked;
