package io.millrace.eventing.producer;

import io.millrace.eventing.runtime.RuntimeEnvironment;
import io.millrace.rebalance.Layout;
import io.millrace.rebalance.VbucketSet;
import io.millrace.rebalance.ownership.OwnershipStep;
import org.jspecify.annotations.Nullable;

/**
 * Whether a function has the vbuckets that it should have. Functions are asked often, so plans are compared only
 * when the layout or the vbuckets are others than at the last look. Used by one thread.
 */
final class Settlement {

    private final RuntimeEnvironment environment;
    private @Nullable Layout layout;
    private VbucketSet owned = VbucketSet.NONE;

    Settlement(RuntimeEnvironment environment) {
        this.environment = environment;
    }

    /** Returns whether nothing has to be claimed or given up. */
    boolean holds(VbucketSet now) {
        Layout present = environment.membership().layout();
        if (present == layout && now == owned) {
            return true;
        }
        if (!(environment.next(now) instanceof OwnershipStep.Settled)) {
            return false;
        }
        layout = present;
        owned = now;
        return true;
    }
}
