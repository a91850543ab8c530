package io.millrace.couch.document;

import io.millrace.couch.CouchException;
import io.millrace.documents.BucketChanges;
import io.millrace.documents.BucketInfo;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One database: the default collection of a bucket. */
public final class CouchDatabase {

    /** What is asked before a revision is written. */
    @FunctionalInterface
    public interface WriteRule {

        /**
         * Throws a {@link CouchException} if a document must not be written.
         *
         * @param before returns the winning revision, or null if there is none
         * @param after returns the new one
         */
        void check(String id, Supplier<byte @Nullable []> before, Supplier<byte[]> after);

        /** Returns a rule that asks this one first. */
        default WriteRule and(WriteRule next) {
            return (id, before, after) -> {
                check(id, before, after);
                next.check(id, before, after);
            };
        }
    }

    /** The rule of requests that do not write. */
    public static final WriteRule NO_WRITES = (id, before, after) -> {
        throw new IllegalStateException("A request that does not write has written " + id);
    };

    /**
     * The setting of a bucket with the number that its collection had when {@code _security} was first stored. A flush, which
     * gives the collection another number, keeps the settings; a drop of the bucket does not.
     */
    private static final String SECURED = "couch.security";

    private final DocumentStore store;
    private final BucketInfo bucket;
    private final BucketChanges changes;
    private final Keyspace keyspace;
    private final int collection;
    private final Writer documents;
    private final SideStore side;
    private final Rendering rendering;

    private CouchDatabase(DocumentStore store, BucketInfo bucket, WriteRule rule) {
        this.store = store;
        this.bucket = bucket;
        this.changes = store.inOrder(bucket);
        this.keyspace = Keyspace.of(bucket.name());
        this.collection = bucket.collectionNumber(keyspace).orElseThrow(CouchException::noDatabase);
        this.side = new SideStore(store, bucket.name(), collection, secured());
        this.rendering = new Rendering(side);
        this.documents = new Writer(store, keyspace, collection, side, rendering, rule);
    }

    private int secured() {
        String noted = bucket.settings().get(SECURED);
        return noted == null ? collection : Integer.parseInt(noted);
    }

    /** Opens a database to read; throws a {@link CouchException} if it does not exist. */
    public static CouchDatabase open(DocumentStore store, String name) {
        return open(store, name, NO_WRITES);
    }

    /** Opens a database; throws a {@link CouchException} if it does not exist. */
    static CouchDatabase open(DocumentStore store, String name, WriteRule rule) {
        return StoreCalls.of(store.catalog().find(name))
                .map(bucket -> new CouchDatabase(store, bucket, rule))
                .orElseThrow(CouchException::noDatabase);
    }

    /** Returns who may access a database, as it was stored; null if nothing was, or if there is no such database. */
    public static byte @Nullable [] security(DocumentStore store, String name) {
        return StoreCalls.of(store.catalog().find(name))
                .flatMap(bucket -> new CouchDatabase(store, bucket, NO_WRITES).security())
                .orElse(null);
    }

    /** Returns who may access the database, as it was stored. */
    Optional<byte[]> security() {
        Optional<byte[]> stored = side.security();
        if (stored.isPresent()) {
            outliveFlushes(); // it may be from a version that did not
        }
        return stored;
    }

    void putSecurity(byte[] json) {
        side.putSecurity(json);
        outliveFlushes();
    }

    private void outliveFlushes() {
        if (!bucket.settings().containsKey(SECURED)) {
            Map<String, String> settings = new HashMap<>(bucket.settings());
            settings.put(SECURED, Integer.toString(collection));
            StoreCalls.of(store.catalog().putSettings(bucket.name(), settings));
        }
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

    /** Returns whether this is still what the name stands for; after a flush it is another collection, with other revisions. */
    public boolean isCurrent() {
        return StoreCalls.of(store.catalog().find(bucket.name()))
                .map(now -> now.collectionNumber(keyspace).equals(OptionalInt.of(collection)))
                .orElse(false);
    }

    /** Returns a document with its revisions, which has no revisions if it was never written. */
    public CouchDocument read(String id) {
        return documents.read(id);
    }

    /** Returns what is known about a document besides its body; nothing if it was never written. */
    public Optional<Document> metadata(String id) {
        return StoreCalls.found(documents.askForMetadata(id));
    }

    /** Returns the design documents, as JSON. */
    public List<byte[]> designs() {
        List<byte[]> designs = new ArrayList<>();
        new IdPages(store, keyspace, ListingEndpoints.DESIGNS, false).forEachRemaining(id -> {
            CouchDocument document = read(id);
            document.winner()
                    .filter(leaf -> !leaf.deleted())
                    .flatMap(leaf -> rendering.render(document, leaf))
                    .ifPresent(json -> designs.add(json.bytes()));
        });
        return designs;
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
