package io.millrace.metakvservice.entries;

import io.millrace.metakv.MetakvEntry;
import org.jspecify.annotations.Nullable;

/** An event of a watch. */
sealed interface WatchEvent {

    /** A full list follows, up to {@link Ready}; entries that are not in it do not exist. */
    record Reset() implements WatchEvent {}

    /**
     * The current state of an entry.
     *
     * @param entry null if it was deleted
     * @param next the position after this event; null within a full list
     */
    record Entry(
            String path,
            @Nullable MetakvEntry entry,
            @Nullable Cursor next) implements WatchEvent {}

    /** The watch has all changes up to this position. */
    record Ready(Cursor next) implements WatchEvent {}
}
