package io.millrace.n1ql.runtime;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The compiled patterns of a run. */
final class Patterns {

    /** The most compiled patterns; statements have few, but patterns may come from documents. */
    private static final int MOST_PATTERNS = 1000;

    private final Map<String, @Nullable Pattern> compiled = new HashMap<>();

    /** Returns a pattern, or null if it is not valid. */
    @Nullable
    Pattern get(String regex) {
        if (!compiled.containsKey(regex)) {
            if (compiled.size() >= MOST_PATTERNS) {
                compiled.clear();
            }
            compiled.put(regex, compile(regex));
        }
        return compiled.get(regex);
    }

    private static @Nullable Pattern compile(String regex) {
        try {
            return Pattern.compile(regex);
        } catch (PatternSyntaxException e) {
            return null;
        }
    }
}
