package io.millrace.documents;

/**
 * Which function instance made a mutation, for the suppression of a function's own writes and the loop guard.
 *
 * @param instance the writing function's instance id; has no colon
 * @param hops how many functions in a row led to this mutation, from 1
 */
public record Origin(String instance, int hops) {

    public Origin {
        if (instance.isEmpty() || instance.indexOf(':') >= 0) {
            throw new IllegalArgumentException("An instance id must have characters and no colon: " + instance);
        }
        if (hops < 1) {
            throw new IllegalArgumentException("Hops start at 1: " + hops);
        }
    }
}
