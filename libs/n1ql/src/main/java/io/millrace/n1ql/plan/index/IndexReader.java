package io.millrace.n1ql.plan.index;

import io.millrace.n1ql.keyspace.Keyspace;
import io.millrace.n1ql.plan.index.IndexSpans.Spans;
import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.DocumentReader;
import io.millrace.n1ql.plan.operator.DocumentReader.KeySource;
import io.millrace.n1ql.plan.operator.DocumentReader.KeyspaceSlots;
import io.millrace.n1ql.plan.operator.ForwardingCursor;
import io.millrace.n1ql.plan.operator.KeysAmong;
import io.millrace.n1ql.plan.operator.RowOrder;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.runtime.HeldBytes;
import io.millrace.n1ql.value.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Opens cursors over documents by indexes, for one run and one outer row. */
final class IndexReader {

    private static final int[] PAGES = {16, 256, 1024};
    private static final int LARGEST_PAGE = 1024;
    /** What an id in a set holds besides its text. */
    static final long ID_BYTES = 104;
    /** More rows are not sorted by their entries, because all would be held. */
    private static final long MOST_SORTED = 10_000;

    private final Keyspace keyspace;
    private final KeyspaceSlots slots;
    private final Frame row;
    private final Execution execution;
    /**
     * Whether documents are changed while they are read, so that their entries move in the index. Then all keys are read before
     * the first document; if a part is wanted, each key is read once, so that what has moved is left out.
     */
    private final boolean changing;

    /** Whether all rows are needed as far as is known, unless a number is expected. */
    private final boolean toEnd;

    private final HeldBytes held;

    IndexReader(Keyspace keyspace, KeyspaceSlots slots, Frame row, boolean changing, boolean toEnd) {
        this.keyspace = keyspace;
        this.slots = slots;
        this.row = row;
        this.execution = row.execution();
        this.changing = changing;
        this.toEnd = toEnd;
        this.held = new HeldBytes(execution);
    }

    static boolean maySort(long wanted) {
        return wanted > 0 && wanted <= MOST_SORTED;
    }

    /** @param toEnd whether all entries are needed as far as is known */
    private EntryPager pager(IndexPath path, Spans spans, boolean toEnd) {
        return new EntryPager(keyspace, path, slots, spans, row, toEnd ? EntryPager.FIRST_PAGE : 1);
    }

    /**
     * @param expected how many documents will probably be needed, or 0
     * @param count how many entries there are, or 0 if that is not known
     */
    Cursor<Frame> one(IndexPath path, Spans spans, long expected, double count) {
        boolean all = toEnd && expected == 0;
        if (all && count > EntryPager.FIRST_PAGE && !path.covers() && !changing) {
            EntryPager pager = new EntryPager(keyspace, path, slots, spans, row, EntryPager.firstOfMany(count));
            return inOrder(rows(DocumentReader.ofMany(keyspace, pager, execution)), path.ordered());
        }
        EntryPager pager = pager(path, spans, all);
        if (path.covers()) {
            return new CoveredRows(path, pager, expected);
        }
        if (!changing) {
            return inOrder(documents(pager, expected), path.ordered());
        }
        return expected > 0
                ? eachOnce(new UnionPager(List.of(pager), execution, held), expected)
                : documents(ids(pager, new LinkedHashSet<>()), false);
    }

    private Cursor<Frame> eachOnce(UnionPager pager, long expected) {
        return releasing(documents(pager, expected), false);
    }

    private Cursor<Frame> documents(KeySource source, long expected) {
        return rows(new DocumentReader(keyspace, source, execution, expected));
    }

    private Cursor<Frame> rows(DocumentReader reader) {
        return DocumentReader.rows(reader, row, keyspace, slots);
    }

    private Set<String> ids(KeySource pager, Set<String> ids) {
        List<String> page;
        do {
            execution.check();
            page = execution.await(pager.keys(LARGEST_PAGE));
            for (String id : page) {
                held.add(ids.add(id) ? ID_BYTES + id.length() : 0);
            }
        } while (page.size() == LARGEST_PAGE);
        return ids;
    }

    private Cursor<Frame> documents(Iterable<String> read, boolean ordered) {
        List<String> all = new ArrayList<>();
        read.forEach(all::add);
        DocumentReader reader =
                new DocumentReader(keyspace, DocumentReader.of(all), execution, Math.max(1, all.size()), false);
        return releasing(rows(reader), ordered);
    }

    /** Releases the ids that have been held when the rows are closed. */
    private Cursor<Frame> releasing(Cursor<Frame> rows, boolean ordered) {
        return new ForwardingCursor<>(rows) {
            @Override
            public boolean ordered() {
                return ordered;
            }

            @Override
            public void close() {
                super.close();
                held.close();
            }
        };
    }

    /**
     * Documents of one index after the other, each once.
     *
     * @param expected how many documents will probably be needed, or 0
     */
    Cursor<Frame> any(List<IndexPath> paths, long expected) {
        List<EntryPager> pagers = paths.stream()
                .map(path -> pager(path, path.spans().at(row), toEnd && expected == 0))
                .toList();
        UnionPager pager = new UnionPager(pagers, execution, held);
        return changing && expected == 0
                ? documents(ids(pager, new LinkedHashSet<>()), false)
                : eachOnce(pager, expected);
    }

    Cursor<Frame> both(IndexPath first, IndexPath second) {
        Set<String> few = ids(pager(first, first.spans().at(row), true), new HashSet<>());
        List<String> both = new ArrayList<>();
        EntryPager pager = pager(second, second.spans().at(row), true);
        List<String> page;
        do {
            execution.check();
            page = execution.await(pager.keys(LARGEST_PAGE));
            page.stream().filter(few::contains).forEach(both::add);
        } while (page.size() == LARGEST_PAGE);
        return documents(new LinkedHashSet<>(both), false);
    }

    /** Returns the ids that an index has for all rows of the run; they are read once and held until it ends. */
    @SuppressWarnings("unchecked")
    Set<String> idsOfRun(IndexPath path, Object key) {
        return (Set<String>) execution.memo(
                key, known -> known == null ? ids(pager(path, path.spans().at(row), true), new HashSet<>()) : known);
    }

    /** Documents that are among those of the ids. */
    Cursor<Frame> among(IndexPath path, Set<String> ids) {
        EntryPager pager = pager(path, path.spans().at(row), true);
        return documents(new KeysAmong(pager, ids, LARGEST_PAGE), 0);
    }

    // ---- in the wanted order

    private record Sorted(Value[] keys, String id) {}

    /** Sorts entries and reads the documents of the first ones only. */
    Cursor<Frame> firstOf(IndexPath path, Spans spans, RowOrder order, long wanted) {
        Comparator<Sorted> comparator = Comparator.comparing(Sorted::keys, order);
        PriorityQueue<Sorted> worstFirst = new PriorityQueue<>(comparator.reversed());
        EntryPager pager = pager(path, spans, true);
        List<CompiledIndex.Entry> page;
        do {
            execution.check();
            page = execution.await(pager.entries(LARGEST_PAGE));
            for (CompiledIndex.Entry entry : page) {
                worstFirst.add(new Sorted(keys(path, entry, order), entry.id()));
                if (worstFirst.size() > wanted) {
                    worstFirst.poll();
                }
            }
        } while (page.size() == LARGEST_PAGE);
        List<Sorted> first = new ArrayList<>(worstFirst);
        first.sort(comparator);
        return documents(first.stream().map(Sorted::id).toList(), true);
    }

    private Value[] keys(IndexPath path, CompiledIndex.Entry entry, RowOrder order) {
        Frame told = row.copy();
        path.cover().fill(told, entry, slots);
        return order.keysOf(told);
    }

    private static Cursor<Frame> inOrder(Cursor<Frame> rows, boolean ordered) {
        return ordered ? Cursor.inOrder(rows) : rows;
    }

    /** Makes rows from entries without reading documents. */
    private final class CoveredRows implements Cursor<Frame> {

        private final IndexPath path;
        private final EntryPager pager;
        private final Deque<CompiledIndex.Entry> ready = new ArrayDeque<>();
        /** The first page, which is asked for at once, because look-ups of several rows may be under way. */
        private @Nullable CompletableFuture<List<CompiledIndex.Entry>> first;

        private int size;
        private int step;
        private boolean last;

        CoveredRows(IndexPath path, EntryPager pager, long expected) {
            this.path = path;
            this.pager = pager;
            this.size = (int) Math.min(expected > 0 ? expected : PAGES[0], LARGEST_PAGE);
            this.first = pager.entries(size);
        }

        @Override
        public @Nullable Frame next() {
            if (ready.isEmpty() && !last) {
                List<CompiledIndex.Entry> page = execution.await(first == null ? pager.entries(size) : first);
                first = null;
                last = page.size() < size;
                ready.addAll(page);
                size = PAGES[Math.min(++step, PAGES.length - 1)];
            }
            CompiledIndex.Entry entry = ready.poll();
            if (entry == null) {
                return null;
            }
            execution.step();
            Frame next = row.copy();
            path.cover().fill(next, entry, slots);
            return next;
        }

        @Override
        public boolean ordered() {
            return path.ordered();
        }
    }
}
