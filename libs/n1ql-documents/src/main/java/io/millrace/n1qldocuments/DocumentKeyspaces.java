package io.millrace.n1qldocuments;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Origin;
import io.millrace.n1ql.keyspace.KeyspaceName;
import io.millrace.n1ql.keyspace.KeyspaceStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The keyspaces of a document store. Thread-safe; calls may wait for the store's catalog. */
public final class DocumentKeyspaces implements KeyspaceStore {

    private final DocumentStore store;
    private final Predicate<String> shown;
    private final Supplier<@Nullable Origin> origin;
    private final IndexDefinitionCache read = new IndexDefinitionCache();

    /**
     * @param shown which buckets may be queried; statements do not find the others
     * @param origin the origin that the changes of statements carry; called on the thread that runs the statement
     */
    public DocumentKeyspaces(DocumentStore store, Predicate<String> shown, Supplier<@Nullable Origin> origin) {
        this.store = store;
        this.shown = shown;
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
                        store, found.indexes().getOrDefault(keyspace, Map.of()), read, name, keyspace, origin))
                .orElse(null);
    }

    @Override
    public List<KeyspaceName> names() {
        return StoreErrors.await(StoreErrors.answer(store.catalog().list())).stream()
                .filter(bucket -> shown.test(bucket.name()))
                .flatMap(bucket -> bucket.collectionNumbers().keySet().stream())
                .map(keyspace -> new KeyspaceName(keyspace.bucket(), keyspace.scope(), keyspace.collection()))
                .toList();
    }
}
