package io.millrace.documents.feed;

import io.millrace.documents.notify.ChangeNotifier;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * What the feeds of a store have in common: a page is read from Redis once for all feeds that come along soon. This object is
 * the lock of all that it consists of. See the RATIONALE of this module.
 *
 * @param <R> the rows of its shards
 */
public final class SharedFeeds<R extends FeedSource.Numbered> {

    private final ChangeNotifier notifier;
    private final long mostBytes;
    private final Map<String, SharedFeed<R>> shards = new HashMap<>();

    /** The pages that are kept, oldest first. */
    private final Set<FeedPage<R>> kept = new LinkedHashSet<>();

    private long bytes;

    /** @param mostBytes how many bytes are kept of what all feeds have read */
    public SharedFeeds(ChangeNotifier notifier, long mostBytes) {
        this.notifier = notifier;
        this.mostBytes = mostBytes;
    }

    ChangeNotifier notifier() {
        return notifier;
    }

    /**
     * Lets a feed take part.
     *
     * @param position returns where it is
     */
    public synchronized SharedFeed<R>.Member enter(FeedSource<R> source, LongSupplier position) {
        return shards.computeIfAbsent(source.topic(), topic -> new SharedFeed<>(this, topic))
                .enter(source, position);
    }

    /** Forgets a shard that has no feeds any more. */
    synchronized void end(String topic) {
        shards.remove(topic);
    }

    /** Counts more bytes of a page; the oldest pages go while there are too many. */
    synchronized void keep(FeedPage<R> page, long more) {
        kept.add(page);
        page.bytes += more;
        bytes += more;
        while (bytes > mostBytes && !kept.isEmpty()) {
            Iterator<FeedPage<R>> oldest = kept.iterator();
            FeedPage<R> gone = oldest.next();
            gone.feed().forget(gone);
        }
    }

    /** Counts a page no longer. */
    synchronized void drop(FeedPage<R> page) {
        if (kept.remove(page)) {
            bytes -= page.bytes;
        }
    }

    /** Returns how many bytes are kept. */
    public synchronized long bytes() {
        return bytes;
    }
}
