package io.millrace.metakvservice.entries;

import io.millrace.metakv.MetakvEntry;
import io.millrace.streams.store.TimelineEvent;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One change of one path: an event of the path's stream.
 *
 * @param version how many changes the path had had with this one
 * @param seqno the change's place in the order of all changes
 * @param value what was set, null when the path was deleted
 * @param sensitive true when the value is not to be shown in histories
 * @param changedBy who did it, null when that was not said
 */
record EntryChange(
        String path,
        long version,
        long seqno,
        byte @Nullable [] value,
        boolean sensitive,
        Instant time,
        @Nullable String changedBy) {

    /** The etag of nothing: seqnos stay far below it. */
    static final long NO_ETAG = Long.MAX_VALUE;

    static EntryChange of(String path, TimelineEvent event, long seqno) {
        long version = event.unfold() ? event.index() : event.index() + 1;
        return ConfigEvents.read(path, version, seqno, event.event());
    }

    /** Returns the entry that this change left, or null when it left none. */
    @Nullable
    MetakvEntry entry() {
        return value == null ? null : new MetakvEntry(path, value, rev());
    }

    String rev() {
        return rev(version, seqno);
    }

    static String rev(long version, long etag) {
        return version + "-" + etag;
    }

    /** Returns the etag behind a rev; what is no rev of an entry is the etag of nothing. */
    static long etag(String rev) {
        int dash = rev.indexOf('-');
        try {
            long etag = dash < 1 ? NO_ETAG : Long.parseLong(rev, dash + 1, rev.length(), 10);
            return etag > 0 ? etag : NO_ETAG;
        } catch (NumberFormatException e) {
            return NO_ETAG;
        }
    }

    int bytes() {
        return value == null ? 0 : value.length;
    }
}
