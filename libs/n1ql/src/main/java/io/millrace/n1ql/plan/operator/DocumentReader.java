package io.millrace.n1ql.plan.operator;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.keyspace.Fetched;
import io.millrace.n1ql.keyspace.Keyspace;
import io.millrace.n1ql.keyspace.Keyspace.StoredDocument;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.value.BinaryValue;
import io.millrace.n1ql.value.Json;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads documents in growing batches: the first row is returned soon, many rows are returned fast. The next batch is
 * read while one is processed; closing cancels it.
 */
public final class DocumentReader implements Cursor<StoredDocument> {

    private static final int[] BATCHES = {1, 16, 256};
    /** So few documents are read at once, because a single one would hardly be faster. */
    private static final int FEW = 16;

    private final Keyspace keyspace;
    private final KeySource source;
    private final Execution execution;
    private final long limit;
    private final Deque<StoredDocument> ready = new ArrayDeque<>();
    private final boolean warnAbsent;
    private final BatchSize sizes = new BatchSize();
    private @Nullable CompletableFuture<Batch> pending;
    /** The documents that are being processed. */
    private Fetched current = Fetched.NONE;
    /** Keys whose documents are read next, because there was no memory for them. */
    private final Deque<String> left = new ArrayDeque<>();

    /** Reads documents after the first ones; set by one request after the other. */
    private volatile @Nullable CompletableFuture<Keyspace.Reader> many;

    private final Runnable ending = this::close;
    private boolean ended;
    private boolean starved;
    private int step;
    private long requested;
    private final long expected;
    /** Whether reading paused because the expected documents had been read, and few after them were needed. */
    private boolean held;

    /** Returns keys in batches; fewer than {@code max} mean the end. */
    public interface KeySource {
        CompletableFuture<List<String>> keys(int max);

        /** Returns whether it is known, after a batch has come, that there are no more. */
        default boolean ended() {
            return false;
        }
    }

    private record Batch(List<String> keys, Fetched found, boolean end) {

        List<@Nullable StoredDocument> documents() {
            return found.documents();
        }

        List<String> left() {
            return keys.subList(documents().size(), keys.size());
        }
    }

    /** @param limit the most documents that will be needed; reading ahead stops there */
    public DocumentReader(Keyspace keyspace, KeySource source, Execution execution, long limit, boolean warnAbsent) {
        this(keyspace, source, execution, limit, warnAbsent, 0, null);
    }

    /** @param expected how many documents will probably be needed; they are read at once, the next ones only on demand */
    public DocumentReader(Keyspace keyspace, KeySource source, Execution execution, long expected) {
        this(keyspace, source, execution, Long.MAX_VALUE, false, expected, null);
    }

    /** Returns a reader of more documents than the first two batches have. */
    public static DocumentReader ofMany(Keyspace keyspace, KeySource source, Execution execution) {
        return new DocumentReader(keyspace, source, execution, Long.MAX_VALUE, false, 0, keyspace.reader());
    }

    private DocumentReader(
            Keyspace keyspace,
            KeySource source,
            Execution execution,
            long limit,
            boolean warnAbsent,
            long expected,
            @Nullable CompletableFuture<Keyspace.Reader> many) {
        this.keyspace = keyspace;
        this.source = source;
        this.execution = execution;
        this.limit = limit;
        this.warnAbsent = warnAbsent;
        this.expected = expected;
        this.many = many;
        execution.closeAtEnd(ending);
        this.pending = request();
    }

    private @Nullable CompletableFuture<Batch> request() {
        if (!left.isEmpty()) {
            return fetched(CompletableFuture.completedFuture(keysLeft()), 0);
        }
        if (ended) {
            return null;
        }
        boolean below = requested < expected;
        long wanted = limit - requested;
        long usual = wanted <= FEW ? wanted : BATCHES[Math.min(step, BATCHES.length - 1)];
        long most = below ? Math.min(expected - requested, BATCHES[BATCHES.length - 1]) : usual;
        int size = (int) Math.min(Math.min(most, wanted), sizes.most());
        if (size <= 0) {
            return null;
        }
        step += below ? 0 : 1;
        requested += size;
        if (requested > BATCHES[0] + BATCHES[1]) {
            reader(); // while the keys are read
        }
        return fetched(source.keys(size), size);
    }

    private List<String> keysLeft() {
        List<String> keys = new ArrayList<>();
        for (long most = sizes.most(); !left.isEmpty() && keys.size() < most; ) {
            keys.add(left.remove());
        }
        return keys;
    }

    /**
     * Reads the documents of keys; those that come after the future has been cancelled are closed.
     *
     * @param full fewer keys are the last ones
     */
    private CompletableFuture<Batch> fetched(CompletableFuture<List<String>> given, int full) {
        CompletableFuture<Batch> batch = new CompletableFuture<>();
        given.thenCompose(keys -> {
                    if (keys.isEmpty() || batch.isDone()) {
                        return CompletableFuture.completedFuture(new Batch(List.of(), Fetched.NONE, true));
                    }
                    boolean last = keys.size() < full || source.ended();
                    return fetch(keys).thenApply(found -> new Batch(keys, found, last));
                })
                .whenComplete((read, failure) -> {
                    if (failure != null) {
                        batch.completeExceptionally(failure);
                    } else if (!batch.complete(read)) {
                        read.found().close();
                    }
                });
        return batch;
    }

    /** A few documents are read at once; before many, the store is asked what it knows of them. */
    private CompletableFuture<Fetched> fetch(List<String> keys) {
        if (many == null && requested <= BATCHES[0] + BATCHES[1] && keys.size() <= FEW) {
            return keyspace.fetch(keys);
        }
        return reader().thenCompose(known -> known.fetch(keys));
    }

    private CompletableFuture<Keyspace.Reader> reader() {
        CompletableFuture<Keyspace.Reader> reader = many;
        if (reader == null) {
            reader = keyspace.reader();
            many = reader;
        }
        return reader;
    }

    @Override
    public @Nullable StoredDocument next() {
        while (ready.isEmpty()) {
            release();
            if (held) {
                held = false;
                pending = request();
            }
            if (pending == null) {
                close();
                return null;
            }
            execution.check();
            take(execution.await(pending));
        }
        execution.step();
        return ready.poll();
    }

    /** Documents that do not count any more must not stay in memory while this waits for the next ones. */
    private void release() {
        current.close();
        current = Fetched.NONE;
    }

    private void take(Batch batch) {
        current = batch.found();
        ended |= batch.end();
        batch.left().reversed().forEach(left::addFirst);
        boolean starving = batch.documents().isEmpty() && !batch.left().isEmpty();
        if (starving && starved) {
            throw Objects.requireNonNull(current.shortage());
        }
        starved = starving; // the documents before may have had the memory: again, without them
        if (!batch.keys().isEmpty()) {
            sizes.met(batch.documents());
        }
        held = !ended && left.isEmpty() && expected > 0 && requested >= expected && step < BATCHES.length;
        pending = held ? null : request();
        for (int i = 0; i < batch.documents().size(); i++) {
            StoredDocument document = batch.documents().get(i);
            if (document != null) {
                ready.add(document);
            } else if (warnAbsent) {
                execution.warn(
                        ErrorCode.KEY_NOT_FOUND,
                        "Key(s) in USE KEYS hint not found: " + batch.keys().get(i));
            }
        }
    }

    @Override
    public boolean ready() {
        return !ready.isEmpty() || pending == null && !held;
    }

    @Override
    public void close() {
        CompletableFuture<Batch> given = pending;
        pending = null;
        ready.clear();
        release();
        execution.closed(ending);
        if (given != null && !given.cancel(false)) {
            given.thenAccept(batch -> batch.found().close());
        }
    }

    // ---- documents as values

    static Value value(StoredDocument document) {
        return document.json() ? Json.trusted(document.body(), document.places()) : new BinaryValue(document.body());
    }

    static Value meta(StoredDocument document, Keyspace keyspace) {
        Map<String, Value> fields = LinkedHashMap.newLinkedHashMap(6);
        fields.put("id", Value.of(document.key()));
        fields.put("keyspace", Value.of(keyspace.name().toString()));
        fields.put("cas", Value.of(document.cas()));
        fields.put("expiration", Value.of(document.expiration()));
        fields.put("flags", Value.of((long) document.flags()));
        fields.put("type", Value.of(document.json() ? "json" : "base64"));
        return ObjectValue.of(fields);
    }

    public static Frame row(Frame row, StoredDocument document, Keyspace keyspace, KeyspaceSlots slots) {
        Frame next = row.copy();
        next.set(slots.value(), value(document));
        if (slots.needsMeta()) {
            next.set(slots.meta(), meta(document, keyspace));
        }
        return next;
    }

    public static Cursor<Frame> rows(DocumentReader reader, Frame row, Keyspace keyspace, KeyspaceSlots slots) {
        return new Cursor<>() {
            @Override
            public @Nullable Frame next() {
                StoredDocument document = reader.next();
                return document == null ? null : row(row, document, keyspace, slots);
            }

            @Override
            public boolean ready() {
                return reader.ready();
            }

            @Override
            public void close() {
                reader.close();
            }
        };
    }

    /** The slots for the documents of a keyspace. */
    public record KeyspaceSlots(String alias, int value, int meta, boolean needsValue, boolean needsMeta) {}

    /** Returns the keys of a list. */
    public static KeySource of(List<String> keys) {
        List<String> left = new ArrayList<>(keys);
        return max -> {
            List<String> batch = new ArrayList<>(left.subList(0, Math.min(max, left.size())));
            left.subList(0, batch.size()).clear();
            return CompletableFuture.completedFuture(batch);
        };
    }
}
