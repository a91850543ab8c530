package io.millrace.n1ql.keyspace;

import org.jspecify.annotations.Nullable;

/**
 * What CREATE and ALTER SEQUENCE say about a sequence; null for what they do not say.
 *
 * @param cache how many values a process takes from the store at once
 * @param restart whether values begin again, at {@code restartWith} or else at the start
 */
public record SequenceOptions(
        @Nullable Long start,
        @Nullable Long increment,
        @Nullable Long min,
        @Nullable Long max,
        @Nullable Boolean cycle,
        @Nullable Long cache,
        boolean restart,
        @Nullable Long restartWith) {

    public static final SequenceOptions NONE = new SequenceOptions(null, null, null, null, null, null, false, null);
}
