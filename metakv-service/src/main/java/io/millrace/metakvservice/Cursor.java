package io.millrace.metakvservice;

import java.util.Optional;

/**
 * A place in the log of changes, and on the wire the id of a watch's event.
 *
 * @param epoch of the walk over the feed that numbered the changes
 * @param index of the next change to tell
 */
record Cursor(long epoch, long index) {

    static Optional<Cursor> parse(String text) {
        int dash = text.indexOf('-');
        try {
            return dash < 1
                    ? Optional.empty()
                    : Optional.of(new Cursor(
                            Long.parseUnsignedLong(text, 0, dash, 16),
                            Long.parseLong(text, dash + 1, text.length(), 10)));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return Long.toHexString(epoch) + '-' + index;
    }
}
