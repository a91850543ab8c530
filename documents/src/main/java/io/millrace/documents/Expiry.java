package io.millrace.documents;

import java.time.Instant;

/** What a write does to the expiry of its document. */
public sealed interface Expiry {

    /** The document never expires; an earlier expiry is cleared. */
    record Never() implements Expiry {}

    /** The expiry stays as it is; a new document never expires. */
    record Preserve() implements Expiry {}

    /** The document expires at this time, cut to the second. A time in the past expires it at once. */
    record At(Instant time) implements Expiry {}

    Expiry NEVER = new Never();
    Expiry PRESERVE = new Preserve();

    static Expiry at(Instant time) {
        return new At(time);
    }
}
