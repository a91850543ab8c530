package io.millrace.n1ql.plan.from;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.keyspace.IndexDefinition;
import io.millrace.n1ql.keyspace.Keyspace;
import io.millrace.n1ql.keyspace.Keyspace.KeyRange;
import io.millrace.n1ql.keyspace.StatementRights.Need;
import io.millrace.n1ql.plan.index.IndexChoice.ByKey;
import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.DocumentReader;
import io.millrace.n1ql.plan.operator.DocumentReader.KeyspaceSlots;
import io.millrace.n1ql.plan.operator.KeyspaceRef;
import io.millrace.n1ql.plan.operator.Operator;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * All documents of a keyspace, or of a range of keys, in the order of the keys.
 *
 * @param limit the most documents that are needed
 * @param refuseBeyond the most documents of a scan that is repeated for every row of an outer query; 0 for no limit
 * @param wholly whether the range decides all conditions, if its ends are texts
 * @param shape what the query wants of the scan
 */
public record PrimaryScan(
        KeyspaceRef ref,
        KeyspaceSlots slots,
        KeyRanges range,
        long limit,
        long refuseBeyond,
        boolean wholly,
        ByKey shape)
        implements Operator {

    private static final int PAGE = 1024;

    /** Returns whether the rows come in the order that the query wants. */
    public boolean ordered() {
        return shape.direction() != 0;
    }

    @Override
    public boolean ordered(Frame row) {
        return ordered();
    }

    public PrimaryScan limitedTo(long documents) {
        return new PrimaryScan(ref, slots, range, Math.min(limit, documents), refuseBeyond, wholly, shape);
    }

    private static boolean isIndexed(Keyspace keyspace) {
        return keyspace.indexes().stream().anyMatch(IndexDefinition::primary);
    }

    private Keyspace open(Execution execution) {
        Keyspace keyspace = ref.open(execution, Need.SELECT);
        if (!isIndexed(keyspace)) {
            throw QueryException.noIndex(keyspace.name().toString());
        }
        return keyspace;
    }

    @Override
    public Cursor<Frame> open(Frame row) {
        Execution execution = row.execution();
        Keyspace keyspace = open(execution);
        if (refuseBeyond > 0 && execution.await(keyspace.count()) > refuseBeyond) {
            throw QueryException.of(
                    ErrorCode.SUBQUERY_NEEDS_INDEX,
                    "Unable to run subquery - cause: Correlated subquery's keyspace (" + slots.alias()
                            + ") cannot have more than " + refuseBeyond
                            + " documents without appropriate secondary index");
        }
        boolean backward = shape.direction() < 0;
        KeyPager pager = new KeyPager(keyspace, range.at(row), backward);
        if (keysOnly()) {
            return keysOnly(row, pager, execution);
        }
        long expected = shape.rows() == null ? 0 : shape.rows().at(row);
        DocumentReader reader = expected > 0 && limit == Long.MAX_VALUE
                ? new DocumentReader(keyspace, pager, execution, expected)
                : new DocumentReader(keyspace, pager, execution, limit, false);
        Cursor<Frame> rows = DocumentReader.rows(reader, row, keyspace, slots);
        return shape.direction() == 0 ? rows : Cursor.inOrder(rows);
    }

    /** Provides rows without reading documents, when their keys are enough. */
    private Cursor<Frame> keysOnly(Frame row, KeyPager pager, Execution execution) {
        long expected = shape.rows() == null ? 0 : shape.rows().at(row);
        return new Cursor<>() {
            private int size = (int) Math.min(PAGE, expected > 0 ? Math.min(expected, limit) : limit);
            private Iterator<String> keys = List.<String>of().iterator();
            private boolean last;

            @Override
            public @Nullable Frame next() {
                if (!keys.hasNext() && !last) {
                    List<String> page = execution.await(pager.keys(size));
                    last = page.size() < size;
                    size = PAGE;
                    keys = page.iterator();
                }
                if (!keys.hasNext()) {
                    return null;
                }
                String key = keys.next();
                execution.step();
                Frame next = row.copy();
                if (slots.needsMeta()) {
                    next.set(slots.meta(), ObjectValue.of("id", Value.of(key)));
                }
                return next;
            }

            @Override
            public boolean ordered() {
                return shape.direction() != 0;
            }
        };
    }

    @Override
    public double reads(Frame row) {
        Keyspace keyspace = ref.open(row.execution(), Need.SELECT);
        return isIndexed(keyspace) ? rowCount(row) * (1 + DOCUMENT) : Double.POSITIVE_INFINITY;
    }

    @Override
    public double rowCount(Frame row) {
        Execution execution = row.execution();
        return execution.await(ref.open(execution, Need.SELECT).count(range.at(row)));
    }

    /** Returns how many documents there are, if all conditions are decided by their keys. */
    Optional<Long> count(Frame row) {
        KeyRange keys = wholly ? range.exactly(row) : null;
        return keys == null
                ? Optional.empty()
                : Optional.of(row.execution().await(open(row.execution()).count(keys)));
    }

    @Override
    public Explanation explain(Frame row) {
        Explanation explanation = new Explanation("PrimaryScan3")
                .with("keyspace", ref.toString())
                .with("as", slots.alias())
                .with("using", "gsi");
        if (shape.direction() < 0) {
            explanation.with("reverse", Value.TRUE);
        }
        return expecting(range.explain(explanation), row).inOrder(shape.direction() != 0);
    }

    private Explanation expecting(Explanation explanation, Frame row) {
        try {
            double rows = Math.min(limit, rowCount(row));
            // a range that depends on a row of another scan is empty so far
            boolean known = rows > 0 || range.equals(KeyRanges.ALL);
            return known ? explanation.expecting(rows, keysOnly() ? rows : rows * (1 + DOCUMENT)) : explanation;
        } catch (QueryException e) {
            return explanation; // a parameter has no value, or the user may not read the documents
        }
    }

    private boolean keysOnly() {
        return shape.keyOnly() || !slots.needsValue() && !slots.needsMeta();
    }

    /** Reads keys of a range page by page. */
    private static final class KeyPager implements DocumentReader.KeySource {

        private final Keyspace keyspace;
        private final boolean backward;
        private KeyRange range;

        KeyPager(Keyspace keyspace, KeyRange range, boolean backward) {
            this.keyspace = keyspace;
            this.range = range;
            this.backward = backward;
        }

        @Override
        public CompletableFuture<List<String>> keys(int max) {
            CompletableFuture<List<String>> page =
                    backward ? keyspace.keysDescending(range, max) : keyspace.keys(range, max);
            return page.thenApply(keys -> {
                if (!keys.isEmpty()) {
                    range = range.after(keys.getLast(), backward);
                }
                return keys;
            });
        }
    }
}
