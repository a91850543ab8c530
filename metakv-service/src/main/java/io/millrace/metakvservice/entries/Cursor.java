package io.millrace.metakvservice.entries;

import java.util.Optional;

/**
 * A position in the order of all changes, and on the wire the id of an event of a watch. It is valid at every instance.
 *
 * @param history the number of the history that the position is in; see {@link SystemBucket#history}
 * @param seqno the seqno up to which the watch has all changes
 */
record Cursor(long history, long seqno) {

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
        return Long.toHexString(history) + '-' + seqno;
    }
}
