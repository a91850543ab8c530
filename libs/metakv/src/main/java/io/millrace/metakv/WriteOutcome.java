package io.millrace.metakv;

import org.jspecify.annotations.Nullable;

/** How a conditional write ended. */
public sealed interface WriteOutcome {

    /**
     * The write was done.
     *
     * @param rev the entry's new version; for a deletion, the version of its trace
     */
    record Written(String rev) implements WriteOutcome {}

    /**
     * The entry is not as the caller expected; nothing was changed.
     *
     * @param currentRev the version that it has, or null when there is none
     */
    record Conflict(@Nullable String currentRev) implements WriteOutcome {}
}
