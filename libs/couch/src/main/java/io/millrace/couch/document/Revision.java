package io.millrace.couch.document;

import io.millrace.couch.CouchException;
import java.util.Comparator;

/**
 * A revision of a document, {@code <generation>-<id>}.
 *
 * @param generation its depth in the tree, from 1
 * @param id distinguishes it from others of its generation
 */
record Revision(long generation, String id) implements Comparable<Revision> {

    private static final Comparator<Revision> ORDER =
            Comparator.comparingLong(Revision::generation).thenComparing(Revision::id);

    /** Parses a revision; throws a {@link CouchException} if the text is not valid. */
    static Revision parse(String text) {
        int hyphen = text.indexOf('-');
        if (hyphen > 0 && hyphen < text.length() - 1 && hyphen < 16) {
            try {
                long generation = Long.parseLong(text, 0, hyphen, 10);
                if (generation > 0) {
                    return new Revision(generation, text.substring(hyphen + 1));
                }
            } catch (NumberFormatException e) {
                // reported below
            }
        }
        throw CouchException.badRequest("Invalid rev format");
    }

    @Override
    public int compareTo(Revision other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return generation + "-" + id;
    }
}
