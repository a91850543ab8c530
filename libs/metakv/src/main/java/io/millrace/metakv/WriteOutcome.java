package io.millrace.metakv;

import org.jspecify.annotations.Nullable;

/** The outcome of a conditional write. */
public sealed interface WriteOutcome {

    /**
     * The write was applied.
     *
     * @param rev the new version of the entry; for a deletion, the version of the tombstone
     */
    record Written(String rev) implements WriteOutcome {}

    /**
     * The entry did not have the expected version; nothing was changed.
     *
     * @param currentRev its current version, or null if it does not exist
     */
    record Conflict(@Nullable String currentRev) implements WriteOutcome {}
}
