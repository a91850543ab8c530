package io.millrace.metakvservice.entries;

import io.millrace.metakv.MetakvEntry;
import org.jspecify.annotations.Nullable;

/** What a watch is told. */
sealed interface WatchEvent {

    /** A full list follows, up to {@link Ready}; what is not in it, is not there. */
    record Reset() implements WatchEvent {}

    /**
     * An entry as it is now.
     *
     * @param entry null when it was deleted
     * @param next where to go on after this; null within a full list
     */
    record Entry(
            String path,
            @Nullable MetakvEntry entry,
            @Nullable Cursor next) implements WatchEvent {}

    /** Everything up to here has been told. */
    record Ready(Cursor next) implements WatchEvent {}
}
