package io.millrace.documents;

/**
 * Which function instance made a mutation, for the suppression of a function's own writes and the loop guard.
 *
 * @param instance the writing function's instance id; has neither colon nor line break
 * @param hops how many functions in a row led to this mutation, from 1
 */
public record Origin(String instance, int hops) {

    public Origin {
        if (instance.isEmpty() || instance.indexOf(':') >= 0 || instance.indexOf('\n') >= 0) {
            throw new IllegalArgumentException(
                    "An instance id has characters, but no colon or line break: " + instance);
        }
        if (instance.length() > Limits.MAX_ORIGIN_CHARS) {
            throw new IllegalArgumentException("An instance id has at most %d characters, not %d"
                    .formatted(Limits.MAX_ORIGIN_CHARS, instance.length()));
        }
        if (hops < 1) {
            throw new IllegalArgumentException("Hops start at 1: " + hops);
        }
    }
}
