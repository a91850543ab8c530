package io.millrace.metakv;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A change in the history of a path. The byte array is not copied; do not modify it.
 *
 * @param version the number of the change, from 1, one more for each change of the path
 * @param rev the version of the entry after the change
 * @param value the value that was set; null if the path was deleted, or if histories hide its values
 * @param deleted whether the path was deleted
 * @param time when the change was made
 * @param changedBy who made it, or null if the writer did not say
 */
public record MetakvChange(
        long version,
        String rev,
        byte @Nullable [] value,
        boolean deleted,
        Instant time,
        @Nullable String changedBy) {}
