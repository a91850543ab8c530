package io.millrace.n1qldocuments;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.Catalog;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException.Code;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Origin;
import io.millrace.documents.ReadRoom;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.keyspace.AtomicChange;
import io.millrace.n1ql.keyspace.Container;
import io.millrace.n1ql.keyspace.FunctionStore;
import io.millrace.n1ql.keyspace.KeyspaceName;
import io.millrace.n1ql.keyspace.KeyspaceStore;
import io.millrace.n1ql.keyspace.SequenceStore;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The keyspaces of a document store. Thread-safe; calls may wait for the store's catalog. */
public final class DocumentKeyspaces implements KeyspaceStore {

    private static final Set<Code> EXISTING = EnumSet.of(Code.BUCKET_EXISTS, Code.SCOPE_EXISTS, Code.COLLECTION_EXISTS);

    private final DocumentStore store;
    private final Predicate<String> shown;
    private final Supplier<@Nullable Origin> origin;
    private final ReadRoom room;
    private final StoredFunctions functions;
    private final StoredSequences sequences;
    private final IndexDefinitionCache read = new IndexDefinitionCache();
    private final @Nullable DocumentCache cache;

    /**
     * @param shown which buckets may be queried; statements do not find the others
     * @param origin the origin that the changes of statements carry; called on the thread that runs the statement
     */
    public DocumentKeyspaces(DocumentStore store, Predicate<String> shown, Supplier<@Nullable Origin> origin) {
        this(store, shown, origin, ReadRoom.UNLIMITED);
    }

    /** @param room the memory for documents that statements have read and process; the store asks the same */
    public DocumentKeyspaces(
            DocumentStore store, Predicate<String> shown, Supplier<@Nullable Origin> origin, ReadRoom room) {
        this(store, shown, origin, room, null);
    }

    /** @param cache keeps documents that statements read, null for none */
    public DocumentKeyspaces(
            DocumentStore store,
            Predicate<String> shown,
            Supplier<@Nullable Origin> origin,
            ReadRoom room,
            @Nullable DocumentCache cache) {
        this.cache = cache;
        this.room = room;
        this.store = store;
        this.shown = shown;
        this.functions = new StoredFunctions(store);
        this.sequences = new StoredSequences(store);
        this.origin = origin;
    }

    @Override
    public io.millrace.n1ql.keyspace.@Nullable Keyspace keyspace(KeyspaceName name) {
        if (!shown.test(name.bucket())) {
            return null;
        }
        Keyspace keyspace = new Keyspace(name.bucket(), name.scope(), name.collection());
        Optional<BucketInfo> bucket =
                StoreErrors.await(StoreErrors.answer(store.catalog().find(name.bucket())));
        return bucket.filter(found -> found.has(keyspace))
                .map(found -> new DocumentKeyspace(
                        store,
                        found.indexes().getOrDefault(keyspace, Map.of()),
                        read,
                        name,
                        keyspace,
                        origin,
                        room,
                        () -> cache == null ? null : cache.view(store, found, keyspace)))
                .orElse(null);
    }

    @Override
    public boolean create(Container container) {
        Keyspace keyspace = keyspace(container);
        Catalog catalog = store.catalog();
        return done(
                () -> switch (container.kind()) {
                    case BUCKET -> catalog.createBucket(keyspace.bucket(), 1);
                    case SCOPE -> catalog.createScope(keyspace.bucket(), keyspace.scope());
                    case COLLECTION -> catalog.createCollection(keyspace);
                },
                EXISTING);
    }

    @Override
    public boolean drop(Container container) {
        Keyspace keyspace = keyspace(container);
        Catalog catalog = store.catalog();
        return done(
                () -> switch (container.kind()) {
                    case BUCKET -> catalog.dropBucket(keyspace.bucket());
                    case SCOPE -> catalog.dropScope(keyspace.bucket(), keyspace.scope());
                    case COLLECTION -> catalog.dropCollection(keyspace);
                },
                StoreErrors.NOT_THERE);
    }

    /** Returns false if the change fails because it is made already. */
    private static boolean done(Supplier<CompletableFuture<?>> change, Set<Code> already) {
        return StoreErrors.await(StoreErrors.unless(change.get().thenApply(made -> true), already, false));
    }

    private Keyspace keyspace(Container container) {
        KeyspaceName name = container.name();
        if (!shown.test(name.bucket())) {
            throw QueryException.keyspaceNotFound(container.toString());
        }
        return new Keyspace(name.bucket(), name.scope(), name.collection());
    }

    @Override
    public CompletableFuture<AtomicChange.Outcome> changeAll(List<AtomicChange> changes) {
        return AtomicWrites.of(store, changes, origin.get());
    }

    @Override
    public FunctionStore functions() {
        return functions;
    }

    @Override
    public SequenceStore sequences() {
        return sequences;
    }

    @Override
    public List<KeyspaceName> names() {
        return buckets()
                .flatMap(bucket -> bucket.collectionNumbers().keySet().stream())
                .map(keyspace -> new KeyspaceName(keyspace.bucket(), keyspace.scope(), keyspace.collection()))
                .toList();
    }

    @Override
    public List<KeyspaceName> scopes() {
        return buckets()
                .flatMap(bucket -> bucket.scopes().keySet().stream()
                        .map(scope -> new KeyspaceName(bucket.name(), scope, KeyspaceName.DEFAULT)))
                .toList();
    }

    private Stream<BucketInfo> buckets() {
        return StoreErrors.await(StoreErrors.answer(store.catalog().list())).stream()
                .filter(bucket -> shown.test(bucket.name()));
    }
}
