package io.millrace.n1ql.plan.index;

import io.millrace.n1ql.keyspace.Keyspace;
import io.millrace.n1ql.keyspace.Keyspace.EntryRange;
import io.millrace.n1ql.plan.index.IndexSpans.Spans;
import io.millrace.n1ql.plan.operator.DocumentReader.KeySource;
import io.millrace.n1ql.plan.operator.DocumentReader.KeyspaceSlots;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Frame;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Reads the entries of the ranges of an index in order, without those that a filter rejects. */
final class EntryPager implements KeySource {

    /** The first of {@link #FILTERED_PAGES}. */
    static final int FILTERED_PAGE = 16;

    /** An entry that a filter rejects costs little: so many are read at a time, even if fewer are asked for. */
    private static final int[] FILTERED_PAGES = {FILTERED_PAGE, 64, 256};

    /**
     * If all entries are needed, so many are read at first, even if fewer are asked for: as many as the first two batches of
     * documents have. A look-up then knows its end at once.
     */
    static final int FIRST_PAGE = 17;

    /** The same if there are more: as many as the first three batches of documents have. */
    private static final int FIRST_OF_MANY = 273;
    /** So many are read at once if they have been counted. */
    private static final int MOST_AT_ONCE = 1024;

    private final Keyspace keyspace;
    private final IndexPath path;
    private final KeyspaceSlots slots;
    private final @Nullable Eval filter;
    private final Frame row;
    private final boolean backward;
    private int least;
    private int filteredPages;
    private final Deque<EntryRange> left = new ArrayDeque<>();
    private final Deque<CompiledIndex.Entry> read = new ArrayDeque<>();
    /** The keys returned so far: an index of elements may have several entries of a document. */
    private final Set<String> given = new HashSet<>();

    /** @param least how many entries are read at first, even if fewer are asked for */
    EntryPager(Keyspace keyspace, IndexPath path, KeyspaceSlots slots, Spans spans, Frame row, int least) {
        this.keyspace = keyspace;
        this.path = path;
        this.slots = slots;
        this.filter = path.filter(spans);
        this.row = row;
        this.backward = path.backward();
        this.least = least;
        spans.ranges().forEach(backward ? left::addFirst : left::addLast);
    }

    /** Returns how many entries are read at first of more than {@link #FIRST_PAGE}: if they are few enough all, and with them the end. */
    static int firstOfMany(double count) {
        return count < MOST_AT_ONCE ? (int) count + 1 : FIRST_OF_MANY;
    }

    /** Returns the next entries; fewer than {@code max} only at the end. */
    CompletableFuture<List<CompiledIndex.Entry>> entries(int max) {
        return more(new ArrayList<>(), max);
    }

    private CompletableFuture<List<CompiledIndex.Entry>> more(List<CompiledIndex.Entry> found, int max) {
        while (true) {
            while (!read.isEmpty() && found.size() < max) {
                found.add(read.poll());
            }
            EntryRange range = left.poll();
            if (range == null || found.size() == max) {
                if (range != null) {
                    left.addFirst(range);
                }
                return CompletableFuture.completedFuture(found);
            }
            int missing = max - found.size();
            int wanted = Math.max(missing, filter == null ? least : filteredPage());
            least = 1;
            CompletableFuture<List<byte[]>> page = keyspace.scan(path.index().secondary(), range, backward, wanted);
            if (filter == null) {
                return page.thenCompose(entries -> {
                    take(entries, range, wanted);
                    return more(found, max);
                });
            }
            // on this thread, because conditions are not evaluated by the threads of the store
            take(row.execution().await(page), range, wanted);
        }
    }

    private int filteredPage() {
        return FILTERED_PAGES[Math.min(filteredPages++, FILTERED_PAGES.length - 1)];
    }

    private void take(List<byte[]> page, EntryRange range, int wanted) {
        if (page.size() == wanted) {
            left.addFirst(range.after(page.getLast(), backward));
        }
        page.forEach(entry -> keep(path.index().read(entry)));
    }

    private void keep(CompiledIndex.Entry entry) {
        if (filter != null) {
            Frame told = row.copy();
            path.cover().fill(told, entry, slots);
            row.execution().step();
            if (!filter.eval(told).truth()) {
                return;
            }
        }
        if (!path.index().hasEach() || given.add(entry.id())) {
            read.add(entry);
        }
    }

    @Override
    public CompletableFuture<List<String>> keys(int max) {
        return entries(max)
                .thenApply(
                        entries -> entries.stream().map(CompiledIndex.Entry::id).toList());
    }

    @Override
    public boolean ended() {
        return read.isEmpty() && left.isEmpty();
    }
}
