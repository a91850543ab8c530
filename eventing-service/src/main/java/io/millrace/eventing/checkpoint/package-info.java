/**
 * Checkpoints: how far each function has handled each vbucket, which node owns it, and the leases of nodes, in Redis
 * or in memory. Saves are fenced by an epoch, so that a node that lost a vbucket cannot overwrite its checkpoint.
 *
 * <p>Every package of this service may use it; it depends on none of them.
 */
@NullMarked
package io.millrace.eventing.checkpoint;

import org.jspecify.annotations.NullMarked;
