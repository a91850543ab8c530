package io.millrace.eventing.functions;

import io.millrace.eventing.producer.Timers;
import io.millrace.timers.TimerGroup;

/** Finds the timers of a function by its name. */
public final class FunctionTimers {

    private final FunctionStore store;

    FunctionTimers(FunctionStore store) {
        this.store = store;
    }

    /** Returns whether timers of a function should be fired now. */
    public boolean firing(FunctionName name) {
        return store.find(name).map(StoredFunction::state).orElse(null) instanceof FunctionState.Deployed;
    }

    /** Returns where the timers of a function are; fails with ERR_APP_NOT_FOUND. */
    public TimerGroup group(FunctionName name) {
        StoredFunction function = store.find(name).orElseThrow(() -> FunctionsException.notFound(name));
        return Timers.group(SpecFactory.spec(function.definition()));
    }
}
