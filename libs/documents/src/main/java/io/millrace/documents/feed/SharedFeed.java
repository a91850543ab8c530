package io.millrace.documents.feed;

import io.millrace.documents.Branch;
import io.millrace.documents.notify.ChangeNotifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The feeds of one source. A page that one of them reads serves those that come to the same place while it is read, and those
 * behind it on the pages before; with the last of these it goes. At the end one of them requests the notification for all.
 * Guarded by its {@link SharedFeeds}.
 *
 * @param <R> the rows
 */
public final class SharedFeed<R extends FeedSource.Numbered> {

    private final SharedFeeds<R> all;
    private final String topic;
    private final Set<Member> members = new HashSet<>();
    private final List<Run<R>> runs = new ArrayList<>();
    private final Set<CompletableFuture<Boolean>> waiting = new HashSet<>();
    private @Nullable Request request;
    private ChangeNotifier.@Nullable Subscription subscription;

    /** How many feeds, pages and requests there have been. */
    private long count;

    /** Pages that follow each other without a gap. */
    private static final class Run<R extends FeedSource.Numbered> {

        private final NavigableMap<Long, FeedPage<R>> pages = new TreeMap<>();

        @Nullable
        FeedPage<R> covering(long position) {
            Map.Entry<Long, FeedPage<R>> page = pages.floorEntry(position);
            return page != null && page.getValue().covers(position) ? page.getValue() : null;
        }

        boolean endsAt(long position) {
            FeedPage<R> last = pages.lastEntry().getValue();
            return last.isFilled() && last.end() == position;
        }
    }

    /** A request for a notification, with the newest seqno as its answer. */
    private record Request(long since, long number, CompletableFuture<Long> newest) {}

    SharedFeed(SharedFeeds<R> all, String topic) {
        this.all = all;
        this.topic = topic;
    }

    Member enter(FeedSource<R> source, LongSupplier position) {
        Member member = new Member(source, position, ++count);
        members.add(member);
        return member;
    }

    /** A feed that takes part. */
    public final class Member {

        private final FeedSource<R> source;
        private final LongSupplier position;

        /** What was asked before is not for this feed: its bucket may have been another one. */
        private final long opened;

        /** The request that this feed has joined, or made. */
        private @Nullable Request latest;

        private boolean left;

        private Member(FeedSource<R> source, LongSupplier position, long opened) {
            this.source = source;
            this.position = position;
            this.opened = opened;
        }

        /**
         * Returns rows after the position of this feed that were read since it was opened, from Redis if no other feed has them;
         * none if there were none.
         *
         * @param history to which the feed belongs
         * @param most how many rows to ask for
         * @param now whether they are read after this call
         */
        public CompletableFuture<FeedPage<R>> page(Branch history, int most, boolean now) {
            FeedPage<R> own;
            synchronized (all) {
                FeedPage<R> found = now ? null : found(history);
                if (found != null) {
                    return found.read();
                }
                own = new FeedPage<>(SharedFeed.this, this, history, position.getAsLong(), ++count);
                if (!left) {
                    add(own);
                }
            }
            fetch(own, most);
            return own.read();
        }

        /** Returns whether another feed has what this one needs next. */
        public boolean isAhead(Branch history) {
            synchronized (all) {
                return found(history) != null;
            }
        }

        private @Nullable FeedPage<R> found(Branch history) {
            for (Run<R> run : runs) {
                FeedPage<R> page = run.covering(position.getAsLong());
                if (page != null && page.serves(history, opened)) {
                    return page;
                }
            }
            return null;
        }

        private void fetch(FeedPage<R> page, int most) {
            source.rows(page.since(), most)
                    .thenCompose(rows -> {
                        boolean complete = rows.size() < most;
                        return complete
                                ? CompletableFuture.completedFuture(filled(page, rows, lastOf(rows), true))
                                : source.newest().thenApply(newest -> filled(page, rows, newest, false));
                    })
                    .whenComplete((done, failure) -> {
                        if (failure == null) {
                            page.read().complete(page);
                        } else {
                            forget(page);
                            page.read().completeExceptionally(failure);
                        }
                    });
        }

        private long lastOf(List<R> rows) {
            return rows.isEmpty() ? 0 : rows.getLast().seqno();
        }

        /** Lets pages go that this feed was the last to need. */
        public void moved() {
            synchronized (all) {
                trim();
            }
        }

        /**
         * Requests a notification unless another feed has, and returns the newest seqno; see {@link FeedSource#arm}. A feed
         * that asks twice without having been notified has waited in vain: then Redis is asked again.
         *
         * @param woken is completed with true at the next notification
         */
        public CompletableFuture<Long> arm(CompletableFuture<Boolean> woken) {
            long since = position.getAsLong();
            Request own;
            synchronized (all) {
                if (left) {
                    return source.arm(since);
                }
                await(woken);
                Request made = request;
                if (made != null && made.since == since && made.number > opened && made != latest) {
                    latest = made;
                    return made.newest;
                }
                own = new Request(since, ++count, new CompletableFuture<>());
                request = own;
                latest = own;
            }
            source.arm(since).whenComplete((newest, failure) -> {
                if (failure == null) {
                    answered(own, newest == since);
                    own.newest.complete(newest);
                } else {
                    answered(own, false);
                    own.newest.completeExceptionally(failure);
                }
            });
            return own.newest;
        }

        /** Ends the part of this feed. */
        public void leave() {
            synchronized (all) {
                left = true;
                members.remove(this);
                trim();
                if (members.isEmpty()) {
                    end();
                }
            }
        }
    }

    private void add(FeedPage<R> page) {
        for (Run<R> run : runs) {
            if (run.endsAt(page.since())) {
                run.pages.put(page.since(), page);
                return;
            }
        }
        Run<R> run = new Run<>();
        run.pages.put(page.since(), page);
        runs.add(run);
    }

    private FeedPage<R> filled(FeedPage<R> page, List<R> rows, long newest, boolean complete) {
        synchronized (all) {
            page.fill(rows, newest, complete);
            if (rows.isEmpty() || newest == FeedSource.STALE) {
                forget(page);
            } else if (isThere(page)) {
                all.keep(page, page.rowBytes());
            }
            return page;
        }
    }

    /** Counts documents of a page. */
    void grown(FeedPage<R> page, long bytes) {
        synchronized (all) {
            if (isThere(page)) {
                all.keep(page, bytes);
            }
        }
    }

    private boolean isThere(FeedPage<R> page) {
        return runs.stream().anyMatch(run -> run.pages.get(page.since()) == page);
    }

    /** Lets a page go; feeds that have not come past it read by themselves. */
    void forget(FeedPage<R> page) {
        synchronized (all) {
            runs.forEach(run -> run.pages.remove(page.since(), page));
            runs.removeIf(run -> run.pages.isEmpty());
            all.drop(page);
        }
    }

    private void trim() {
        for (Run<R> run : List.copyOf(runs)) {
            Map.Entry<Long, FeedPage<R>> first = run.pages.firstEntry();
            while (first != null && isPassed(first.getValue())) {
                forget(first.getValue());
                first = run.pages.firstEntry();
            }
        }
    }

    private boolean isPassed(FeedPage<R> page) {
        return page.isFilled() && members.stream().noneMatch(member -> page.covers(member.position.getAsLong()));
    }

    private void await(CompletableFuture<Boolean> woken) {
        waiting.add(woken);
        woken.whenComplete((notified, failure) -> {
            synchronized (all) {
                waiting.remove(woken);
            }
        });
        if (subscription == null) {
            subscription = all.notifier().subscribe(topic, this::notified);
        }
    }

    private void answered(Request asked, boolean armed) {
        synchronized (all) {
            if (request == asked && !armed) {
                request = null;
            }
        }
    }

    private void notified() {
        List<CompletableFuture<Boolean>> woken;
        synchronized (all) {
            request = null;
            woken = List.copyOf(waiting);
        }
        woken.forEach(each -> each.complete(true));
    }

    private void end() {
        List.copyOf(runs).forEach(run -> List.copyOf(run.pages.values()).forEach(this::forget));
        if (subscription != null) {
            subscription.close();
            subscription = null;
        }
        all.end(topic);
    }
}
