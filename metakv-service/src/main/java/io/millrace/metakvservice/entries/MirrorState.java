package io.millrace.metakvservice.entries;

import io.millrace.documents.Document;
import io.millrace.metakv.MetakvEntry;
import io.millrace.metakv.MetakvPaths;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The content of the system bucket as built by one walk over it, with a log of the latest changes. One thread changes it,
 * any thread reads it.
 */
final class MirrorState {

    /** The most changes in the log. A watch that needs older ones reads them from the streams. */
    static final int LOG_EVENTS = 4_096;

    /** The most bytes of values in the log. */
    static final long LOG_BYTES = 32L * 1024 * 1024;

    private final long history;
    private final TreeMap<String, EntryChange> latest = new TreeMap<>();
    private final TreeMap<String, Document> nodes = new TreeMap<>();
    private final TreeSet<String> nodesTakenOut = new TreeSet<>();
    private final @Nullable EntryChange[] log = new EntryChange[LOG_EVENTS];
    private long logBytes;
    private long first; // index of the oldest change in the log
    private long end; // index of the next change
    private long logFrom; // the log has every change after this seqno
    private long seqno;
    private int size;

    /** @param history the number of the history that the changes belong to */
    MirrorState(long history) {
        this.history = history;
    }

    long history() {
        return history;
    }

    /** Adds the last change of a path as of the start of the walk. */
    synchronized void begin(EntryChange change) {
        put(change);
    }

    /** Applies changes in their order; then the state has all changes up to a seqno. */
    synchronized void apply(List<EntryChange> changes, long upTo) {
        for (EntryChange change : changes) {
            if (change.version() > version(change.path())) {
                put(change);
                record(change);
            }
        }
        seqno = upTo;
    }

    /** Starts the log here: watches read earlier changes from the streams. */
    synchronized void beginLog() {
        while (first < end) {
            dropOldest();
        }
        logFrom = seqno;
    }

    /** Applies the newest state of the registration of a node. */
    synchronized void applyNode(Document document) {
        if (document.live()) {
            nodes.put(document.key().id(), document);
        } else {
            nodes.remove(document.key().id());
        }
        if (document.state() == Document.State.DELETED) {
            nodesTakenOut.add(document.key().id());
        } else {
            nodesTakenOut.remove(document.key().id());
        }
    }

    private void put(EntryChange change) {
        EntryChange former = latest.put(change.path(), change);
        size += (change.value() == null ? 0 : 1) - (former == null || former.value() == null ? 0 : 1);
    }

    private void record(EntryChange change) {
        while (end - first >= LOG_EVENTS || first < end && logBytes + change.bytes() > LOG_BYTES) {
            dropOldest();
        }
        log[slot(end)] = change;
        logBytes += change.bytes();
        end++;
    }

    private void dropOldest() {
        EntryChange oldest = at(first);
        logBytes -= oldest.bytes();
        logFrom = oldest.seqno();
        log[slot(first)] = null;
        first++;
    }

    private EntryChange at(long index) {
        return Objects.requireNonNull(log[slot(index)]);
    }

    private static int slot(long index) {
        return (int) (index % LOG_EVENTS);
    }

    /** Returns the version of the last change of a path, 0 if the state has none. */
    synchronized long version(String path) {
        EntryChange known = latest.get(path);
        return known == null ? 0 : known.version();
    }

    /** Returns the greatest seqno of all changes. */
    synchronized long newestChange() {
        return latest.values().stream().mapToLong(EntryChange::seqno).max().orElse(0);
    }

    /** Returns the last change of each path below a directory, deletions included. */
    private Stream<EntryChange> latestBelow(String directory) {
        return latest.tailMap(directory).values().stream()
                .takeWhile(change -> change.path().startsWith(directory))
                .filter(change -> MetakvPaths.includes(directory, change.path()));
    }

    /** Returns the entries below a directory. */
    synchronized List<MetakvEntry> below(String directory) {
        return latestBelow(directory)
                .map(EntryChange::entry)
                .filter(Objects::nonNull)
                .toList();
    }

    /** Returns the seqno of the last change below a directory, 0 if there never was one. */
    synchronized long lastChange(String directory) {
        return latestBelow(directory).mapToLong(EntryChange::seqno).max().orElse(0);
    }

    /** Returns the registrations, expired ones included. */
    synchronized List<Document> nodes() {
        return new ArrayList<>(nodes.values());
    }

    /** Returns the ids of the registrations that were deleted. */
    synchronized SortedSet<String> nodesTakenOut() {
        return new TreeSet<>(nodesTakenOut);
    }

    synchronized int size() {
        return size;
    }

    /** Returns the position up to which the state has all changes. */
    synchronized Cursor end() {
        return new Cursor(history, seqno);
    }

    /** Returns the full list of a directory as events of a watch. */
    synchronized List<WatchEvent> listing(String directory) {
        var notices = new ArrayList<WatchEvent>();
        notices.add(new WatchEvent.Reset());
        below(directory).forEach(entry -> notices.add(new WatchEvent.Entry(entry.path(), entry, null)));
        notices.add(new WatchEvent.Ready(end()));
        return notices;
    }

    /** Returns whether a cursor is a position in this history. */
    synchronized boolean knows(Cursor cursor) {
        return cursor.history() == history && cursor.seqno() >= 0 && cursor.seqno() <= seqno;
    }

    /** Returns the changes below a directory after a cursor, or nothing if the log starts later. */
    synchronized Optional<List<WatchEvent>> since(Cursor cursor, String directory) {
        if (!knows(cursor) || cursor.seqno() < logFrom) {
            return Optional.empty();
        }
        long index = end;
        while (index > first && at(index - 1).seqno() > cursor.seqno()) {
            index--;
        }
        var notices = new ArrayList<WatchEvent>();
        for (; index < end; index++) {
            EntryChange change = at(index);
            if (MetakvPaths.includes(directory, change.path())) {
                notices.add(notice(change));
            }
        }
        return Optional.of(notices);
    }

    WatchEvent notice(EntryChange change) {
        return new WatchEvent.Entry(change.path(), change.entry(), new Cursor(history, change.seqno()));
    }

    /** Returns the paths below a directory that changed after a cursor. */
    synchronized List<String> movedSince(Cursor cursor, String directory) {
        return latestBelow(directory)
                .filter(change -> change.seqno() > cursor.seqno())
                .map(EntryChange::path)
                .toList();
    }
}
