package io.millrace.eventing.versions;

import java.time.Instant;

/**
 * A saved state of a function: its code, bindings and settings.
 *
 * @param number from 1 since the function was created, one more with each save that changed something
 * @param time when it was saved
 * @param author the name of the user who saved it
 * @param note what the author said about it, "" for nothing
 */
public record Version(long number, Instant time, String author, String note) {

    /** Returns the first version of a function. */
    public static Version first(Author author, Instant time) {
        return new Version(1, time, author.subject().name(), author.note());
    }

    /** Returns this version with another number. */
    public Version numbered(long other) {
        return new Version(other, time, author, note);
    }

    /** Returns the version after this one. */
    public Version next(Author author, Instant now) {
        return new Version(number + 1, now, author.subject().name(), author.note());
    }
}
