package io.millrace.eventing.checkpoint;

import java.util.List;

/**
 * The right to save checkpoints of some vbuckets, until somebody else claims them.
 *
 * @param epoch higher than that of every earlier claim of the function
 * @param checkpoints one for each claimed vbucket, ascending, as it stands
 */
public record Claim(long epoch, List<Checkpoint> checkpoints) {}
