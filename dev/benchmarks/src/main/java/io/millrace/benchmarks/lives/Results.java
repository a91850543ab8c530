package io.millrace.benchmarks.lives;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The states of documents that a function has handled, as they appear one after another. Not thread-safe. */
final class Results {

    /** What a handler has noted of a document. */
    record Handled(long number, long version) {}

    private final Map<String, Handled> latest = new HashMap<>();

    /** Takes the next result of a document; returns what is wrong with it, or nothing. */
    Optional<String> take(String id, Handled next) {
        Handled before = latest.put(id, next);
        return before != null && next.number() < before.number()
                ? Optional.of("document %s went back from state %d to %d".formatted(id, before.number(), next.number()))
                : Optional.empty();
    }

    /** Returns how many documents have not been handled in their last state. */
    long missing(Map<String, Long> last) {
        return last.entrySet().stream()
                .filter(document -> {
                    Handled handled = latest.get(document.getKey());
                    return handled == null || handled.number() != document.getValue();
                })
                .count();
    }

    /** Returns the version of the function that handled a document last; 0 for none. */
    long versionOf(String id) {
        Handled handled = latest.get(id);
        return handled == null ? 0 : handled.version();
    }
}
