package io.millrace.metakvservice.entries;

import io.millrace.metakv.MetakvEntry;
import io.millrace.streams.store.TimelineEvent;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One change of one path: an event of the path's stream.
 *
 * @param version number of changes of the path, this one included
 * @param seqno position in the order of all changes
 * @param value the new value, null if the path was deleted
 * @param sensitive whether histories leave out the value
 * @param changedBy the author, null if unknown
 */
record EntryChange(
        String path,
        long version,
        long seqno,
        byte @Nullable [] value,
        boolean sensitive,
        Instant time,
        @Nullable String changedBy) {

    /** An etag that no entry has: seqnos stay far below it. */
    static final long NO_ETAG = Long.MAX_VALUE;

    static EntryChange of(String path, TimelineEvent event, long seqno) {
        long version = event.unfold() ? event.index() : event.index() + 1;
        return ConfigEvents.read(path, version, seqno, event.event());
    }

    /** Returns the entry after this change, or null if the change deleted it. */
    @Nullable
    MetakvEntry entry() {
        return value == null ? null : new MetakvEntry(path, value, rev());
    }

    /** Returns the name of the state after this change. */
    String rev() {
        return rev(version, seqno, time);
    }

    /**
     * Returns the name of the state after a change. The time is part of it because a Redis that restarts without its latest
     * writes gives their versions and seqnos to other changes.
     */
    static String rev(long version, long seqno, Instant time) {
        return version + "-" + seqno + "-" + Long.toString(time.toEpochMilli(), Character.MAX_RADIX);
    }

    int bytes() {
        return value == null ? 0 : value.length;
    }
}
