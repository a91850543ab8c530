package io.millrace.eventing.versions;

import io.millrace.documents.VBuckets;
import io.millrace.rebalance.VbucketSet;
import java.time.Instant;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A version that handles some vbuckets of a deployed function, until it takes the place of the other version or is rolled
 * back. The last one is kept when it has ended.
 *
 * @param count how many vbuckets it handles
 * @param end how it ended, or null while it runs
 */
public record Canary(
        Staged next,
        int count,
        CanaryRule rule,
        Instant since,
        @Nullable End end) {

    /** The most vbuckets: half of them. */
    public static final int MAX_VBUCKETS = VBuckets.COUNT / 2;

    /** How a canary ended. */
    public enum Outcome {
        PROMOTED,
        ROLLED_BACK
    }

    /** The end of a canary. @param reason in words */
    public record End(Outcome outcome, String reason, Instant at) {}

    public boolean running() {
        return end == null;
    }

    /** Returns the vbuckets, evenly spread, so that each node has some of them. */
    public VbucketSet vbuckets() {
        return VbucketSet.of(IntStream.range(0, count).map(i -> i * VBuckets.COUNT / count));
    }

    public Canary ended(Outcome outcome, String reason, Instant at) {
        return new Canary(next, count, rule, since, new End(outcome, reason, at));
    }
}
