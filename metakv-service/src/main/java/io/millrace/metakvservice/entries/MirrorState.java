package io.millrace.metakvservice.entries;

import io.millrace.documents.Document;
import io.millrace.metakv.MetakvEntry;
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
 * The content of the system bucket as one walk over it built it, with a log of the latest changes. One thread changes
 * it, any thread reads.
 */
final class MirrorState {

    /** How many changes the log keeps at most. What a watch needs beyond that is read from the streams. */
    static final int LOG_EVENTS = 4_096;

    /** How many bytes of values the log keeps alive at most. */
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

    /** Takes the last change of a path as it was when the walk began. */
    synchronized void begin(EntryChange change) {
        put(change);
    }

    /** Takes changes, in their order, after which everything up to a seqno is in here. */
    synchronized void apply(List<EntryChange> changes, long upTo) {
        for (EntryChange change : changes) {
            if (change.version() > version(change.path())) {
                put(change);
                record(change);
            }
        }
        seqno = upTo;
    }

    /** Says that the log begins now: watches get what came before from the streams. */
    synchronized void beginLog() {
        while (first < end) {
            dropOldest();
        }
        logFrom = seqno;
    }

    /** Takes the newest state of a node's registration. */
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

    /** Returns the version of a path's last change that is in here, 0 when there is none. */
    synchronized long version(String path) {
        EntryChange known = latest.get(path);
        return known == null ? 0 : known.version();
    }

    /** Returns the greatest seqno of any change in here. */
    synchronized long newestChange() {
        return latest.values().stream().mapToLong(EntryChange::seqno).max().orElse(0);
    }

    /** Returns the last change of each path below a directory, deletions included. */
    private Stream<EntryChange> latestBelow(String directory) {
        return latest.tailMap(directory).values().stream()
                .takeWhile(change -> change.path().startsWith(directory));
    }

    /** Returns the entries below a directory. */
    synchronized List<MetakvEntry> below(String directory) {
        return latestBelow(directory)
                .map(EntryChange::entry)
                .filter(Objects::nonNull)
                .toList();
    }

    /** Returns the seqno of the last change below a directory, 0 when there never was one. */
    synchronized long lastChange(String directory) {
        return latestBelow(directory).mapToLong(EntryChange::seqno).max().orElse(0);
    }

    /** Returns the registrations, those that are due included. */
    synchronized List<Document> nodes() {
        return new ArrayList<>(nodes.values());
    }

    /** Returns the ids of the registrations that ended by a deletion. */
    synchronized SortedSet<String> nodesTakenOut() {
        return new TreeSet<>(nodesTakenOut);
    }

    synchronized int size() {
        return size;
    }

    /** Returns the place up to which everything is in here. */
    synchronized Cursor end() {
        return new Cursor(history, seqno);
    }

    /** Returns the full list of a directory as a watch hears it. */
    synchronized List<WatchEvent> listing(String directory) {
        var notices = new ArrayList<WatchEvent>();
        notices.add(new WatchEvent.Reset());
        below(directory).forEach(entry -> notices.add(new WatchEvent.Entry(entry.path(), entry, null)));
        notices.add(new WatchEvent.Ready(end()));
        return notices;
    }

    /** Returns whether a cursor is a place that this history has come to. */
    synchronized boolean knows(Cursor cursor) {
        return cursor.history() == history && cursor.seqno() >= 0 && cursor.seqno() <= seqno;
    }

    /** Returns what changed below a directory after a cursor, or nothing when the log does not go back that far. */
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
            if (change.path().startsWith(directory)) {
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
