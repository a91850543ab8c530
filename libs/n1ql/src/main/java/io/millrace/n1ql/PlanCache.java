package io.millrace.n1ql;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The most recently used plans, by the text of their statement. */
final class PlanCache {

    /** Longer texts are rarely repeated, and caching them could fill the heap. */
    private static final int LONGEST_TEXT = 16 * 1024;

    private final Map<String, CompiledStatement> plans;

    PlanCache(int most) {
        this.plans = new LinkedHashMap<>(64, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, CompiledStatement> eldest) {
                return size() > most;
            }
        };
    }

    synchronized @Nullable CompiledStatement get(String text) {
        return plans.get(text);
    }

    synchronized void put(String text, CompiledStatement plan) {
        if (text.length() <= LONGEST_TEXT) {
            plans.put(text, plan);
        }
    }
}
