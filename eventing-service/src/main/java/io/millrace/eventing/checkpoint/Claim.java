package io.millrace.eventing.checkpoint;

import java.util.List;
import java.util.SortedMap;

/**
 * The right to save checkpoints of some vbuckets, until they are given up or somebody else claims them.
 *
 * @param epoch higher than that of every earlier claim of the function
 * @param checkpoints one for each vbucket that was granted, ascending, as it stands
 * @param refused who has the others
 */
public record Claim(long epoch, List<Checkpoint> checkpoints, SortedMap<Integer, String> refused) {}
