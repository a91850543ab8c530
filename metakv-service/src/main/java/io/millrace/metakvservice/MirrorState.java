package io.millrace.metakvservice;

import io.millrace.documents.Document;
import io.millrace.metakv.MetakvEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The content of the system bucket as one walk over its feed built it, with a log of the latest changes. One thread
 * changes it, any thread reads.
 */
final class MirrorState {

    /** How many changes the log keeps at most. A watch that falls behind by more gets the full list again. */
    static final int LOG_EVENTS = 4_096;

    /** How many bytes of values the log keeps alive at most. */
    static final long LOG_BYTES = 32L * 1024 * 1024;

    /** One line of the log; no entry means that the path was deleted. */
    private record Change(String path, @Nullable MetakvEntry entry) {
        int bytes() {
            return entry == null ? 0 : entry.value().length;
        }
    }

    private final long epoch;
    private final TreeMap<String, MetakvEntry> entries = new TreeMap<>();
    private final TreeMap<String, Document> nodes = new TreeMap<>();
    private final @Nullable Change[] log = new Change[LOG_EVENTS];
    private long logBytes;
    private long first; // index of the oldest change in the log
    private long end; // index of the next change

    /** @param epoch tells the cursors of this walk from those of others */
    MirrorState(long epoch) {
        this.epoch = epoch;
    }

    /** Takes the newest state of a configuration entry. */
    synchronized void applyEntry(Document document) {
        String path = document.key().id();
        String rev = Long.toString(document.cas());
        if (!document.live()) {
            if (entries.remove(path) != null) {
                record(new Change(path, null));
            }
            return;
        }
        MetakvEntry known = entries.get(path);
        if (known == null || !known.rev().equals(rev)) {
            var entry = new MetakvEntry(path, document.body(), rev);
            entries.put(path, entry);
            record(new Change(path, entry));
        }
    }

    /** Takes the newest state of a node's registration. */
    synchronized void applyNode(Document document) {
        if (document.live()) {
            nodes.put(document.key().id(), document);
        } else {
            nodes.remove(document.key().id());
        }
    }

    private void record(Change change) {
        while (end - first >= LOG_EVENTS || first < end && logBytes + change.bytes() > LOG_BYTES) {
            Change oldest = log[slot(first)];
            logBytes -= oldest == null ? 0 : oldest.bytes();
            log[slot(first)] = null;
            first++;
        }
        log[slot(end)] = change;
        logBytes += change.bytes();
        end++;
    }

    private static int slot(long index) {
        return (int) (index % LOG_EVENTS);
    }

    /** Returns the entries below a directory. */
    synchronized List<MetakvEntry> below(String directory) {
        var found = new ArrayList<MetakvEntry>();
        for (MetakvEntry entry : entries.tailMap(directory).values()) {
            if (!entry.path().startsWith(directory)) {
                break;
            }
            found.add(entry);
        }
        return found;
    }

    /** Returns the registrations, those that are due included. */
    synchronized List<Document> nodes() {
        return new ArrayList<>(nodes.values());
    }

    synchronized int size() {
        return entries.size();
    }

    synchronized Cursor end() {
        return new Cursor(epoch, end);
    }

    /** Returns the full list of a directory as a watch hears it. */
    synchronized List<Notice> listing(String directory) {
        var notices = new ArrayList<Notice>();
        notices.add(new Notice.Reset());
        below(directory).forEach(entry -> notices.add(new Notice.Entry(entry.path(), entry, null)));
        notices.add(new Notice.Ready(end()));
        return notices;
    }

    /** Returns what changed below a directory after a cursor, or nothing when the log does not know it any more. */
    synchronized Optional<List<Notice>> since(Cursor cursor, String directory) {
        if (cursor.epoch() != epoch || cursor.index() < first || cursor.index() > end) {
            return Optional.empty();
        }
        var notices = new ArrayList<Notice>();
        for (long index = cursor.index(); index < end; index++) {
            Change change = log[slot(index)];
            if (change != null && change.path().startsWith(directory)) {
                notices.add(new Notice.Entry(change.path(), change.entry(), new Cursor(epoch, index + 1)));
            }
        }
        return Optional.of(notices);
    }
}
