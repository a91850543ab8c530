package io.millrace.n1ql.syntax;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the name that a misspelled one was meant to be. */
public final class Suggestion {

    /** A word may differ by one letter in so many. */
    private static final int LETTERS_PER_MISTAKE = 3;

    private static final int MOST_MISTAKES = 2;

    /** Longer names are not compared: the time grows with the square of the length. */
    private static final int LONGEST = 64;

    private Suggestion() {}

    /** Returns the known name that is most like a name, regardless of case; empty if none is like it. */
    public static Optional<String> closest(String name, Collection<String> known) {
        return known.stream()
                .filter(other -> isLike(name, other))
                .min(Comparator.<String>comparingInt(other -> distance(name, other))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** Returns text for the end of a message, or nothing if no name is like this one. */
    public static String didYouMean(String name, Collection<String> known) {
        return closest(name, known)
                .map(other -> "; did you mean " + other + "?")
                .orElse("");
    }

    private static boolean isLike(String name, String other) {
        int length = Math.min(name.length(), other.length());
        int most = Math.min(MOST_MISTAKES, Math.max(1, length / LETTERS_PER_MISTAKE));
        return length > 1
                && Math.max(name.length(), other.length()) <= LONGEST
                && Math.abs(name.length() - other.length()) <= most
                && distance(name, other) <= most;
    }

    /** Returns how many letters are missing, added, replaced or exchanged with their neighbor. */
    static int distance(String left, String right) {
        String from = left.toLowerCase(Locale.ROOT);
        String to = right.toLowerCase(Locale.ROOT);
        int[][] mistakes = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                if (i == 0 || j == 0) {
                    mistakes[i][j] = i + j;
                    continue;
                }
                boolean same = from.charAt(i - 1) == to.charAt(j - 1);
                int least = Math.min(mistakes[i - 1][j], mistakes[i][j - 1]) + 1;
                least = Math.min(least, mistakes[i - 1][j - 1] + (same ? 0 : 1));
                boolean exchanged = i > 1
                        && j > 1
                        && from.charAt(i - 1) == to.charAt(j - 2)
                        && from.charAt(i - 2) == to.charAt(j - 1);
                mistakes[i][j] = exchanged ? Math.min(least, mistakes[i - 2][j - 2] + 1) : least;
            }
        }
        return mistakes[from.length()][to.length()];
    }
}
