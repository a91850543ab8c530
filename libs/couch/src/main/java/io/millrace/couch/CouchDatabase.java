package io.millrace.couch;

import io.millrace.documents.BucketChanges;
import io.millrace.documents.BucketInfo;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** One database: the default collection of a bucket. */
final class CouchDatabase {

    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

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

    /** Finds a database; throws a {@link CouchException} when there is none. */
    static CouchDatabase open(DocumentStore store, String name) {
        if (name.equals(SideStore.BUCKET)) {
            throw CouchException.noDatabase();
        }
        return Answers.of(store.catalog().find(name))
                .map(bucket -> new CouchDatabase(store, bucket))
                .orElseThrow(CouchException::noDatabase);
    }

    String name() {
        return bucket.name();
    }

    int shards() {
        return bucket.shards();
    }

    Keyspace keyspace() {
        return keyspace;
    }

    Writer documents() {
        return documents;
    }

    SideStore side() {
        return side;
    }

    Rendering rendering() {
        return rendering;
    }

    /** Returns the changes of the bucket in one order, however many shards it has. */
    BucketChanges changes() {
        return changes;
    }

    /** Returns true for a document of this database, and not of another collection of its bucket. */
    boolean owns(Document document) {
        return document.key().keyspace().equals(keyspace);
    }

    CouchDocument document(Document document) {
        return CouchDocument.of(document.key().id(), collection, document);
    }

    /** Returns the document that a row of the feed carries. */
    byte[] changedDocument(CouchDocument document, Leaf winner, ChangesRequest request) {
        Rendering.Options options = new Rendering.Options(
                false,
                false,
                request.query().isTrue("conflicts"),
                false,
                false,
                request.query().isTrue("attachments"));
        Optional<RawObject> text = rendering.render(document, winner, options);
        if (text.isEmpty()) {
            return NULL;
        }
        RawObject body = request.body();
        return body != null && "_selector".equals(request.query().text("filter"))
                ? SelectedFields.of(body).cut(text.get())
                : text.get().bytes();
    }
}
