package io.millrace.n1qldocuments;

import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentIndexes;
import io.millrace.documents.DocumentIndexes.ByteRange;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Expiry;
import io.millrace.documents.IdRange;
import io.millrace.documents.Origin;
import io.millrace.documents.ReadRoom;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.keyspace.Fetched;
import io.millrace.n1ql.keyspace.IndexDefinition;
import io.millrace.n1ql.keyspace.Keyspace;
import io.millrace.n1ql.keyspace.Keyspace.Change;
import io.millrace.n1ql.keyspace.Keyspace.EntryRange;
import io.millrace.n1ql.keyspace.Keyspace.KeyRange;
import io.millrace.n1ql.keyspace.Keyspace.SecondaryIndex;
import io.millrace.n1ql.keyspace.Keyspace.StoredDocument;
import io.millrace.n1ql.keyspace.KeyspaceName;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One collection of a document store. */
final class DocumentKeyspace implements Keyspace {

    /** The most indexes of one collection. */
    static final int MAX_INDEXES = 64;

    /** Two that were created at the same time, or by an earlier version, may have the same number. */
    private static final Comparator<IndexDefinitionCodec.Kept> OLDEST_FIRST = Comparator.comparingLong(
                    IndexDefinitionCodec.Kept::number)
            .thenComparing(kept -> kept.definition().name());

    private final DocumentStore store;
    private final Map<String, String> texts;
    private final IndexDefinitionCache read;
    private final KeyspaceName name;
    private final io.millrace.documents.Keyspace keyspace;
    private final Supplier<@Nullable Origin> origin;
    private final ReadRoom room;
    private final Supplier<@Nullable CompletableFuture<CachedCollection.View>> view;

    /**
     * @param texts the encoded definitions of the indexes in the catalog, by name
     * @param read caches decoded definitions
     * @param view gives the documents that are kept, or null
     */
    DocumentKeyspace(
            DocumentStore store,
            Map<String, String> texts,
            IndexDefinitionCache read,
            KeyspaceName name,
            io.millrace.documents.Keyspace keyspace,
            Supplier<@Nullable Origin> origin,
            ReadRoom room,
            Supplier<@Nullable CompletableFuture<CachedCollection.View>> view) {
        this.room = room;
        this.view = view;
        this.store = store;
        this.texts = texts;
        this.read = read;
        this.name = name;
        this.keyspace = keyspace;
        this.origin = origin;
    }

    @Override
    public KeyspaceName name() {
        return name;
    }

    private DocumentKey key(String id) {
        return new DocumentKey(keyspace, id);
    }

    // ---- reading

    @Override
    public CompletableFuture<Fetched> fetch(List<String> keys) {
        CountedReads reads = new CountedReads(room);
        for (String key : keys) {
            reads.add(store.get(key(key)).thenApply(found -> found.map(DocumentKeyspace::stored)));
        }
        return reads.fetched();
    }

    /** If changes cannot be asked for, neither can documents: then those say why. */
    @Override
    public CompletableFuture<Reader> reader() {
        CompletableFuture<CachedCollection.View> current = view.get();
        return current == null
                ? CompletableFuture.completedFuture(this::fetch)
                : current.handle(
                        (documents, failure) -> failure == null ? keys -> fetch(keys, documents) : this::fetch);
    }

    private CompletableFuture<Fetched> fetch(List<String> keys, CachedCollection.View documents) {
        CountedReads reads = new CountedReads(room);
        for (String key : keys) {
            documents.read(key, reads);
        }
        return reads.fetched();
    }

    static StoredDocument stored(Document document) {
        Instant expiry = document.expiry();
        return new StoredDocument(
                document.key().id(),
                document.body(),
                document.datatype() == Datatype.JSON,
                document.cas(),
                expiry == null ? 0 : expiry.getEpochSecond(),
                document.flags());
    }

    @Override
    public CompletableFuture<Long> count() {
        return StoreErrors.answer(store.count(keyspace));
    }

    @Override
    public CompletableFuture<List<String>> keys(KeyRange range, int max) {
        return StoreErrors.answer(store.ids(keyspace, ids(range), max));
    }

    @Override
    public CompletableFuture<List<String>> keysDescending(KeyRange range, int max) {
        return StoreErrors.answer(store.idsDescending(keyspace, ids(range), max));
    }

    @Override
    public CompletableFuture<Long> count(KeyRange range) {
        return StoreErrors.answer(store.countIds(keyspace, ids(range)));
    }

    private static IdRange ids(KeyRange range) {
        return new IdRange(range.from(), range.fromIncluded(), range.to(), range.toIncluded());
    }

    // ---- changing

    @Override
    public CompletableFuture<Change.Outcome> change(Change change) {
        Write write = write(key(change.key()), change).withOrigin(origin.get());
        return StoreErrors.orRefused(store.write(write).thenApply(DocumentKeyspace::outcome));
    }

    static Write write(DocumentKey key, Change change) {
        return withoutVersion(key, change).withCas(change.cas());
    }

    private static Write withoutVersion(DocumentKey key, Change change) {
        byte[] body = change.body();
        if (body == null) {
            return Write.remove(key);
        }
        Write write = switch (change.kind()) {
            case INSERT -> Write.insert(key, body);
            case UPSERT -> Write.upsert(key, body);
            case REPLACE -> Write.replace(key, body);
            case DELETE -> throw new IllegalArgumentException("DELETE has no body");
        };
        Long expiration = change.expiration();
        if (expiration == null) {
            return write.withExpiry(new Expiry.Preserve(null));
        }
        return expiration == 0
                ? write.withExpiry(Expiry.NEVER)
                : write.withExpiry(new Expiry.At(Instant.ofEpochSecond(expiration)));
    }

    private static Change.Outcome outcome(WriteResult result) {
        return switch (result) {
            case WriteResult.Written written -> new Change.Done(written.cas());
            case WriteResult.CasMismatch mismatch -> new Change.CasMismatch();
            case WriteResult.AlreadyExists exists -> new Change.Exists();
            case WriteResult.NotFound gone -> new Change.NotFound();
            case WriteResult.Locked locked -> new Change.Refused("the document is locked");
        };
    }

    // ---- indexes

    @Override
    public List<IndexDefinition> indexes() {
        return texts.keySet().stream()
                .map(this::kept)
                .sorted(OLDEST_FIRST)
                .map(IndexDefinitionCodec.Kept::definition)
                .toList();
    }

    private long nextNumber() {
        return 1
                + texts.keySet().stream()
                        .mapToLong(index -> kept(index).number())
                        .max()
                        .orElse(0);
    }

    /** Returns the definition of an index from the catalog; each text is decoded once. */
    private IndexDefinitionCodec.Kept kept(String index) {
        String text = texts.get(index);
        if (text == null) {
            throw QueryException.of(ErrorCode.INDEX_NOT_FOUND, "The index " + index + " was not found.");
        }
        return read.get(index, text);
    }

    @Override
    public CompletableFuture<Boolean> createIndex(IndexDefinition index) {
        if (texts.size() >= MAX_INDEXES) {
            return CompletableFuture.failedFuture(QueryException.of(
                    ErrorCode.MEMORY, "Keyspace " + name + " has the " + MAX_INDEXES + " indexes that it may have."));
        }
        String id = UUID.randomUUID().toString();
        return StoreErrors.answer(store.catalog()
                .createIndex(keyspace, index.name(), IndexDefinitionCodec.write(index, id, nextNumber()))
                .thenCompose(created -> created && index.primary()
                        ? store.indexes().completeIds(keyspace).thenApply(done -> true)
                        : CompletableFuture.completedFuture(created)));
    }

    @Override
    public CompletableFuture<Void> buildIndex(SecondaryIndex index) {
        String indexName = index.definition().name();
        return StoreErrors.answer(current(indexName).thenCompose(text -> {
            IndexDefinitionCodec.Kept kept = read.get(indexName, text);
            IndexDefinition online = kept.definition().in(IndexDefinition.State.ONLINE);
            return store.indexes()
                    .open(keyspace, kept.id())
                    .thenCompose(opened -> store.indexes().update(stored(index, kept.id())))
                    .thenCompose(built -> store.catalog()
                            .replaceIndex(
                                    keyspace,
                                    indexName,
                                    text,
                                    IndexDefinitionCodec.write(online, kept.id(), kept.number())))
                    .thenAccept(replaced -> {});
        }));
    }

    /** Returns the catalog's current entry of an index, which may be newer than this keyspace object. */
    private CompletableFuture<String> current(String index) {
        return store.catalog()
                .find(keyspace.bucket())
                .thenApply(found -> found.map(info ->
                                info.indexes().getOrDefault(keyspace, Map.of()).get(index))
                        .orElseThrow(() -> QueryException.of(
                                ErrorCode.INDEX_NOT_FOUND, "The index " + index + " was not found.")));
    }

    @Override
    public CompletableFuture<Integer> buildProgress(String index) {
        return StoreErrors.answer(
                store.indexes().progress(keyspace, kept(index).id()).thenApply(part -> (int) (part * 100)));
    }

    @Override
    public CompletableFuture<List<byte[]>> scan(SecondaryIndex index, EntryRange range, boolean descending, int max) {
        DocumentIndexes.Index stored =
                stored(index, kept(index.definition().name()).id());
        return StoreErrors.answer(
                store.indexes().scan(stored, new ByteRange(range.from(), range.to()), descending, max));
    }

    @Override
    public CompletableFuture<Long> count(SecondaryIndex index, List<EntryRange> ranges, boolean current) {
        DocumentIndexes.Index stored =
                stored(index, kept(index.definition().name()).id());
        List<ByteRange> bytes = ranges.stream()
                .map(range -> new ByteRange(range.from(), range.to()))
                .toList();
        return StoreErrors.answer(store.indexes().count(stored, bytes, current));
    }

    private DocumentIndexes.Index stored(SecondaryIndex index, String id) {
        return new DocumentIndexes.Index(
                keyspace, id, document -> index.entries().of(stored(document)));
    }

    @Override
    public CompletableFuture<Boolean> dropIndex(String index) {
        String text = texts.get(index);
        if (text == null) {
            return StoreErrors.answer(store.catalog().dropIndex(keyspace, index));
        }
        IndexDefinitionCodec.Kept kept = read.get(index, text);
        return StoreErrors.answer(store.catalog()
                .dropIndex(keyspace, index)
                .thenCompose(dropped -> dropped && !kept.definition().primary()
                        ? store.indexes().drop(keyspace, kept.id()).thenApply(done -> true)
                        : CompletableFuture.completedFuture(dropped)));
    }
}
