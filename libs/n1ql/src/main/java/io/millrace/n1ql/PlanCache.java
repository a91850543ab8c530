package io.millrace.n1ql;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The most recently used plans, by the text of their statement: at most so many, and so many characters of texts. */
final class PlanCache {

    /** Texts longer than this share of all characters are rarely repeated, and would push many others out. */
    private static final int SHARE = 32;

    private final int mostPlans;
    private final int mostCharacters;
    private final Map<String, CompiledStatement> plans = new LinkedHashMap<>(64, 0.75f, true);
    private int characters;

    PlanCache(int mostPlans, int mostCharacters) {
        this.mostPlans = mostPlans;
        this.mostCharacters = mostCharacters;
    }

    synchronized @Nullable CompiledStatement get(String text) {
        return plans.get(text);
    }

    synchronized void put(String text, CompiledStatement plan) {
        if (text.length() > mostCharacters / SHARE) {
            return;
        }
        if (plans.put(text, plan) == null) {
            characters += text.length();
        }
        Iterator<String> oldest = plans.keySet().iterator();
        while (plans.size() > mostPlans || characters > mostCharacters) {
            characters -= oldest.next().length();
            oldest.remove();
        }
    }
}
