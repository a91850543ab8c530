package io.millrace.eventing.versions;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When a canary ends by itself.
 *
 * @param maxErrorRate it is rolled back when it fails more often than the other version by more than this, from 0 to 1
 * @param maxSlowdown it is rolled back when its mean run time is more than so many times that of the other version; 0 for never
 * @param minEvents it is judged when it has handled so many changes and timers on a node
 * @param promoteAfter it is promoted when it has run so long and was judged well; null for never
 */
public record CanaryRule(
        double maxErrorRate,
        double maxSlowdown,
        long minEvents,
        @Nullable Duration promoteAfter) {}
