package io.millrace.n1ql.plan.index;

import io.millrace.n1ql.keyspace.Keyspace;
import io.millrace.n1ql.keyspace.Keyspace.EntryRange;
import io.millrace.n1ql.keyspace.StatementRights.Need;
import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.DocumentReader;
import io.millrace.n1ql.plan.operator.DocumentReader.KeyspaceSlots;
import io.millrace.n1ql.plan.operator.KeyspaceRef;
import io.millrace.n1ql.plan.operator.Operator;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.value.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads documents by an index, in the order of the index.
 *
 * @param backward whether the index is read in descending order
 * @param cover makes documents from entries if the index covers the query; null if documents are read
 * @param idsFirst whether all keys are read before the first document, because changed documents may move in the index
 * @param rows LIMIT and OFFSET as a hint for how many rows will be read, or null
 */
record IndexScan(
        KeyspaceRef ref,
        KeyspaceSlots slots,
        CompiledIndex index,
        IndexSpans spans,
        boolean backward,
        @Nullable CoveredDocument cover,
        boolean idsFirst,
        IndexChoice.@Nullable Rows rows)
        implements Operator {

    private static final int[] PAGES = {16, 256, 1024};
    private static final int LARGEST_PAGE = 1024;

    @Override
    public Cursor<Frame> open(Frame row) {
        Execution execution = row.execution();
        Keyspace keyspace = ref.open(execution, Need.SELECT);
        Pager pager = new Pager(keyspace, row);
        long expected = rows == null ? 0 : rows.at(row);
        if (cover != null) {
            return new CoveredRows(pager, cover, row, expected);
        }
        if (!idsFirst) {
            return DocumentReader.rows(new DocumentReader(keyspace, pager, execution, expected), row, keyspace, slots);
        }
        Set<String> ids = new LinkedHashSet<>();
        for (List<String> page = execution.await(pager.keys(LARGEST_PAGE)); !page.isEmpty(); ) {
            execution.check();
            ids.addAll(page);
            page = execution.await(pager.keys(LARGEST_PAGE));
        }
        DocumentReader reader = new DocumentReader(
                keyspace, DocumentReader.of(new ArrayList<>(ids)), execution, Math.max(1, ids.size()), false);
        return DocumentReader.rows(reader, row, keyspace, slots);
    }

    @Override
    public Explanation explain() {
        Explanation explanation = new Explanation("IndexScan3")
                .with("index", index.definition().name())
                .with("keyspace", ref.toString())
                .with("as", slots.alias())
                .with("using", "gsi")
                .withAll("spans", spans.texts());
        if (cover != null) {
            explanation.withAll("covers", cover.texts());
        }
        if (backward) {
            explanation.with("reverse", Value.TRUE);
        }
        return rows == null || rows.limit() == null ? explanation : explanation.with("limit", Value.TRUE);
    }

    /** Reads the entries of the ranges in order. */
    private final class Pager implements DocumentReader.KeySource {

        private final Keyspace keyspace;
        private final Deque<EntryRange> left = new ArrayDeque<>();
        /** The keys returned so far: an index of elements may have several entries of a document. */
        private final Set<String> given = new HashSet<>();

        Pager(Keyspace keyspace, Frame row) {
            this.keyspace = keyspace;
            List<EntryRange> ranges = spans.at(row);
            ranges.forEach(backward ? left::addFirst : left::addLast);
        }

        CompletableFuture<List<byte[]>> entries(int max) {
            return more(new ArrayList<>(), max);
        }

        private CompletableFuture<List<byte[]>> more(List<byte[]> found, int max) {
            EntryRange range = left.peek();
            if (range == null || found.size() == max) {
                return CompletableFuture.completedFuture(found);
            }
            int wanted = max - found.size();
            return keyspace.scan(index.secondary(), range, backward, wanted).thenCompose(page -> {
                left.poll();
                found.addAll(page);
                if (page.size() == wanted) {
                    left.addFirst(range.after(page.getLast(), backward));
                }
                return more(found, max);
            });
        }

        @Override
        public CompletableFuture<List<String>> keys(int max) {
            return keys(new ArrayList<>(), max);
        }

        private CompletableFuture<List<String>> keys(List<String> found, int max) {
            int wanted = max - found.size();
            return entries(wanted).thenCompose(entries -> {
                for (byte[] entry : entries) {
                    String id = index.read(entry).id();
                    if (!index.hasEach() || given.add(id)) {
                        found.add(id);
                    }
                }
                return entries.size() < wanted || found.size() == max
                        ? CompletableFuture.completedFuture(found)
                        : keys(found, max);
            });
        }
    }

    /** Makes rows from entries without reading documents. */
    private final class CoveredRows implements Cursor<Frame> {

        private final Pager pager;
        private final CoveredDocument covered;
        private final Frame row;
        private final long expected;
        private final Deque<byte[]> ready = new ArrayDeque<>();
        private int step;
        private boolean last;

        CoveredRows(Pager pager, CoveredDocument covered, Frame row, long expected) {
            this.pager = pager;
            this.covered = covered;
            this.row = row;
            this.expected = expected;
        }

        @Override
        public @Nullable Frame next() {
            if (ready.isEmpty() && !last) {
                int usual = PAGES[Math.min(step, PAGES.length - 1)];
                int size = step == 0 && expected > 0 ? (int) Math.min(expected, LARGEST_PAGE) : usual;
                step++;
                List<byte[]> page = row.execution().await(pager.entries(size));
                last = page.size() < size;
                ready.addAll(page);
            }
            byte[] entry = ready.poll();
            if (entry == null) {
                return null;
            }
            row.execution().step();
            Frame next = row.copy();
            covered.fill(next, index.read(entry), slots);
            return next;
        }
    }
}
