package io.millrace.eventing.functions;

import io.millrace.documents.Catalog;
import io.millrace.eventing.producer.Timers;
import io.millrace.timers.TimerGroup;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Finds the timers of a function by its name. */
public final class FunctionTimers {

    private final FunctionStore store;

    private final Supplier<Catalog> catalog;

    FunctionTimers(FunctionStore store, Supplier<Catalog> catalog) {
        this.store = store;
        this.catalog = catalog;
    }

    /** Returns whether timers of a function should be fired now. */
    public boolean firing(FunctionName name) {
        return store.find(name).map(StoredFunction::state).orElse(null) instanceof FunctionState.Deployed;
    }

    /** Completes with where the timers of a function are; throws ERR_APP_NOT_FOUND. */
    public CompletableFuture<TimerGroup> group(FunctionName name) {
        StoredFunction function = store.find(name).orElseThrow(() -> FunctionsException.notFound(name));
        return Timers.find(SpecFactory.spec(function.definition()), catalog.get());
    }
}
