package io.millrace.couch.document;

import io.millrace.couch.CouchException;
import io.millrace.documents.BucketChanges;
import io.millrace.documents.BucketInfo;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;

/** One database: the default collection of a bucket. */
public final class CouchDatabase {

    private final BucketInfo bucket;
    private final BucketChanges changes;
    private final Keyspace keyspace;
    private final int collection;
    private final Writer documents;
    private final SideStore side;
    private final Rendering rendering;

    private CouchDatabase(DocumentStore store, BucketInfo bucket) {
        this.bucket = bucket;
        this.changes = store.inOrder(bucket);
        this.keyspace = Keyspace.of(bucket.name());
        this.collection = bucket.collectionNumber(keyspace).orElseThrow(CouchException::noDatabase);
        this.side = new SideStore(store, bucket.name(), collection);
        this.documents = new Writer(store, keyspace, collection, side);
        this.rendering = new Rendering(side);
    }

    /** Opens a database; throws a {@link CouchException} if it does not exist. */
    public static CouchDatabase open(DocumentStore store, String name) {
        return StoreCalls.of(store.catalog().find(name))
                .map(bucket -> new CouchDatabase(store, bucket))
                .orElseThrow(CouchException::noDatabase);
    }

    public String name() {
        return bucket.name();
    }

    int shards() {
        return bucket.shards();
    }

    Keyspace keyspace() {
        return keyspace;
    }

    /** Returns a document with its revisions, which has no revisions if it was never written. */
    public CouchDocument read(String id) {
        return documents.read(id);
    }

    Writer documents() {
        return documents;
    }

    SideStore side() {
        return side;
    }

    public Rendering rendering() {
        return rendering;
    }

    /** Returns the changes of the bucket in one order, however many shards it has. */
    public BucketChanges changes() {
        return changes;
    }

    /** Returns whether a document of the bucket belongs to this database, and not to another collection. */
    public boolean owns(Document document) {
        return document.key().keyspace().equals(keyspace);
    }

    public CouchDocument document(Document document) {
        return CouchDocument.of(document.key().id(), collection, document);
    }
}
