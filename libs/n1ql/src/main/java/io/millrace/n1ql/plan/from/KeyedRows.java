package io.millrace.n1ql.plan.from;

import io.millrace.n1ql.keyspace.Keyspace;
import io.millrace.n1ql.keyspace.Keyspace.StoredDocument;
import io.millrace.n1ql.plan.operator.BatchSize;
import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.Fetches;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Frame;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the documents whose keys are in the rows: one read of the store for a batch of rows. */
final class KeyedRows implements Cursor<Frame> {

    private static final int[] BATCHES = {1, 16, 256};

    private final Cursor<Frame> rows;
    private final Keyspace keyspace;
    private final Eval keys;
    private final boolean distinct;
    private final Deque<Keyed> ready = new ArrayDeque<>();
    private final BatchSize sizes = new BatchSize();
    private int step;
    private boolean done;
    private List<StoredDocument> documents = List.of();
    private @Nullable Fetches fetched;

    private record Keyed(Frame row, List<String> keys, List<StoredDocument> documents) {}

    KeyedRows(Cursor<Frame> rows, Keyspace keyspace, Eval keys, boolean distinct) {
        this.rows = rows;
        this.keyspace = keyspace;
        this.keys = keys;
        this.distinct = distinct;
    }

    /** Returns the documents of the last row. */
    List<StoredDocument> documents() {
        return documents;
    }

    @Override
    public @Nullable Frame next() {
        if (ready.isEmpty() && !done) {
            fill();
        }
        Keyed keyed = ready.poll();
        if (keyed == null) {
            return null;
        }
        documents = keyed.documents();
        return keyed.row();
    }

    @Override
    public boolean ordered() {
        return rows.ordered();
    }

    private void fill() {
        release();
        int size = (int) Math.min(BATCHES[Math.min(step, BATCHES.length - 1)], sizes.most());
        step++;
        Map<String, @Nullable StoredDocument> wanted = new LinkedHashMap<>();
        List<Keyed> batch = new ArrayList<>();
        while (batch.size() < size) {
            Frame row = rows.next();
            if (row == null) {
                done = true;
                break;
            }
            List<String> found = Sources.keysOf(keys.eval(row), row.execution());
            List<String> read = distinct ? new ArrayList<>(new LinkedHashSet<>(found)) : found;
            read.forEach(key -> wanted.put(key, null));
            batch.add(new Keyed(row, read, new ArrayList<>()));
        }
        if (batch.isEmpty()) {
            return;
        }
        fetch(wanted, batch.getFirst().row().execution());
        for (Keyed keyed : batch) {
            for (String key : keyed.keys()) {
                StoredDocument document = wanted.get(key);
                if (document != null) {
                    keyed.documents().add(document);
                }
            }
            ready.add(keyed);
        }
    }

    private void fetch(Map<String, @Nullable StoredDocument> wanted, Execution execution) {
        if (wanted.isEmpty()) {
            return;
        }
        List<String> all = new ArrayList<>(wanted.keySet());
        Fetches fetches = Fetches.of(keyspace, all, execution);
        fetched = fetches;
        List<@Nullable StoredDocument> found = fetches.documents();
        sizes.met(found);
        for (int i = 0; i < all.size(); i++) {
            wanted.put(all.get(i), found.get(i));
        }
    }

    private void release() {
        Fetches former = fetched;
        fetched = null;
        if (former != null) {
            former.close();
        }
    }

    @Override
    public void close() {
        release();
        rows.close();
    }
}
