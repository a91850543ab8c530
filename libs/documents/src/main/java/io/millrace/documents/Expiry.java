package io.millrace.documents;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a write does to the expiry of its document. */
public sealed interface Expiry {

    /** The document never expires; an earlier expiry is cleared. */
    record Never() implements Expiry {}

    /**
     * The expiry of a living document stays as it is.
     *
     * @param otherwise the expiry of a new document, or null for never
     */
    record Preserve(@Nullable Instant otherwise) implements Expiry {}

    /** The document expires at this time, cut to the second. A time in the past expires it at once. */
    record At(Instant time) implements Expiry {}

    Expiry NEVER = new Never();
    Expiry PRESERVE = new Preserve(null);

    static Expiry preserveOr(@Nullable Instant otherwise) {
        return new Preserve(otherwise);
    }

    static Expiry at(Instant time) {
        return new At(time);
    }
}
