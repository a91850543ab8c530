package io.millrace.handler.code;

import io.millrace.handler.HandlerLimits;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Refuses code that the engine would need more for than a service has. Its parser goes one level deeper with each bracket that
 * is opened, and statements in one another without braces cost the square of their number: a chain of {@code else if} of 130 KB
 * fills a heap of 512 MiB. The text is counted as it is, strings and comments included, so that nothing can be hidden from the
 * count.
 */
final class Nesting {

    private static final Set<String> BARE = Set.of("else", "async");

    /** Behind a condition, they are inside a statement that has no brace. */
    private static final Set<String> BEHIND_CONDITION = Set.of("if", "while", "for", "with", "do");

    private final String code;
    private int open;
    private int bare;

    private Nesting(String code) {
        this.code = code;
    }

    /**
     * What is too much.
     *
     * @param offset in the code
     */
    record Excess(String message, int offset) {}

    /** Returns what is too much in code; null if nothing is. */
    static @Nullable Excess of(String code) {
        return new Nesting(code).excess();
    }

    private @Nullable Excess excess() {
        for (int at = 0; at < code.length(); at++) {
            count(at);
            if (open > HandlerLimits.OPEN_BRACKETS) {
                return new Excess(
                        "More than %,d brackets are open; split the code into functions"
                                .formatted(HandlerLimits.OPEN_BRACKETS),
                        at);
            }
            if (bare > HandlerLimits.BARE_STATEMENTS) {
                return new Excess(
                        ("More than %,d times else, async or a condition is followed by a statement without a brace; look cases"
                                        + " up in an object, or split the code into libraries")
                                .formatted(HandlerLimits.BARE_STATEMENTS),
                        at);
            }
        }
        return null;
    }

    private void count(int at) {
        switch (code.charAt(at)) {
            case '(', '[', '{' -> open++;
            case ')' -> {
                open = Math.max(0, open - 1);
                bare += BEHIND_CONDITION.contains(word(behindSpace(at + 1))) ? 1 : 0;
            }
            case ']', '}' -> open = Math.max(0, open - 1);
            case 'e', 'a' -> bare += isWord(at) && BARE.contains(word(at)) ? 1 : 0;
            default -> {}
        }
    }

    private boolean isWord(int at) {
        return at == 0 || !Character.isJavaIdentifierPart(code.charAt(at - 1));
    }

    /** Returns the word at a place, as far as it can be one of those that count. */
    private String word(int from) {
        int end = from;
        while (end < code.length() && end - from < "while".length() + 1 && Character.isLetter(code.charAt(end))) {
            end++;
        }
        return code.substring(from, end);
    }

    private int behindSpace(int from) {
        int at = from;
        while (at < code.length()) {
            if (Character.isWhitespace(code.charAt(at))) {
                at++;
            } else if (code.startsWith("//", at)) {
                at = StatementFinder.lineEnd(code, at);
            } else if (code.startsWith("/*", at)) {
                at = StatementFinder.skipTo(code, "*/", at + 2);
            } else {
                return at;
            }
        }
        return at;
    }
}
