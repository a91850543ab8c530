package io.millrace.eventing.timers;

import io.millrace.documents.Catalog;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.timers.TimerGroup;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Finds the timers of a function by its name. */
public final class FunctionTimers {

    private final Function<FunctionName, FunctionSpec> specs;
    private final Predicate<FunctionName> deployed;
    private final Supplier<Catalog> catalog;

    /**
     * @param specs returns what a function runs with; throws ERR_APP_NOT_FOUND_TS for an unknown name
     * @param deployed returns whether a function is deployed
     * @param catalog called for each lookup
     */
    public FunctionTimers(
            Function<FunctionName, FunctionSpec> specs, Predicate<FunctionName> deployed, Supplier<Catalog> catalog) {
        this.specs = specs;
        this.deployed = deployed;
        this.catalog = catalog;
    }

    /** Returns whether timers of a function should be fired now. */
    public boolean firing(FunctionName name) {
        return deployed.test(name);
    }

    /** Completes with the location of a function's timers; throws ERR_APP_NOT_FOUND_TS for an unknown name. */
    public CompletableFuture<TimerGroup> group(FunctionName name) {
        return TimerGroups.find(specs.apply(name), catalog.get());
    }
}
