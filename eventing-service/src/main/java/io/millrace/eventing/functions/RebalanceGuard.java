package io.millrace.eventing.functions;

import io.millrace.eventing.configuration.ConfigStore;
import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionDefinition;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.definition.ServiceOption;
import io.millrace.eventing.definition.Setting;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Refuses changes of functions while vbuckets move (seed document 000): deployment, deletion, and a change of source,
 * metadata keyspace or number of workers. An option of the service's configuration lifts this.
 */
final class RebalanceGuard {

    private final BooleanSupplier rebalancing;
    private final ConfigStore config;

    /** @param rebalancing may fail with ERR_GET_REBALANCE_STATUS, and may block */
    RebalanceGuard(BooleanSupplier rebalancing, ConfigStore config) {
        this.rebalancing = rebalancing;
        this.config = config;
    }

    /**
     * Fails with ERR_REBALANCE_OR_FAILOVER_ONGOING when a change of a function is refused now.
     *
     * @param before null when it is created
     * @param after null when it is deleted
     */
    void check(FunctionName name, @Nullable StoredFunction before, @Nullable StoredFunction after) {
        String what = prohibited(before, after);
        if (what != null
                && !config.current().flag(ServiceOption.ENABLE_LIFECYCLE_OPS_DURING_REBALANCE)
                && rebalancing.getAsBoolean()) {
            throw FunctionsException.of(
                    ErrorCode.ERR_REBALANCE_OR_FAILOVER_ONGOING,
                    "Function: %s: %s is not possible during a rebalance or failover; try again when it has ended."
                            .formatted(name, what));
        }
    }

    private static @Nullable String prohibited(@Nullable StoredFunction before, @Nullable StoredFunction after) {
        if (after == null) {
            return before == null ? null : "deletion";
        }
        boolean deploying = after.state() instanceof FunctionState.Deploying;
        if (deploying && (before == null || !(before.state() instanceof FunctionState.Deploying))) {
            return "deployment";
        }
        if (before == null) {
            return null;
        }
        FunctionDefinition old = before.definition();
        FunctionDefinition now = after.definition();
        if (!old.deployment().sameSource(now.deployment())) {
            return "a change of the source keyspace";
        }
        if (!old.deployment().metadata().equals(now.deployment().metadata())) {
            return "a change of the metadata keyspace";
        }
        return old.settings().whole(Setting.WORKER_COUNT) == now.settings().whole(Setting.WORKER_COUNT)
                ? null
                : "a change of worker_count";
    }
}
