package io.millrace.couch.document;

import io.millrace.couch.CouchException;
import io.millrace.couch.CouchLimits;
import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.DocumentsException.Code;
import io.millrace.documents.IdRange;
import io.millrace.documents.Keyspace;
import io.millrace.documents.SystemHandle;
import io.millrace.documents.Write;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import java.util.Spliterators;
import java.util.stream.StreamSupport;
import tools.jackson.databind.json.JsonMapper;

/**
 * Data of one database that must not appear in its feed: local documents, bodies of losing revisions, attachments. They
 * are in a bucket of their own, with a collection for each database.
 */
final class SideStore {

    /** The bucket; it is not visible as a database. */
    static final String BUCKET = "_couch";

    /** Stands for the server where others have the name of a database; no database has such a name. */
    private static final String SERVER = "%server";

    private static final Set<Code> NOT_THERE =
            EnumSet.of(Code.BUCKET_NOT_FOUND, Code.SCOPE_NOT_FOUND, Code.COLLECTION_NOT_FOUND);

    private final DocumentStore store;
    private final Keyspace keyspace;
    private final int collection;
    private final int secured;

    /**
     * @param collection the number of the database's collection, which differs for a later database of the same name
     * @param secured the number that the collection had when {@code _security} was first stored
     */
    SideStore(DocumentStore store, String database, int collection, int secured) {
        this.store = store.with(SystemHandle.COUCH);
        this.keyspace = new Keyspace(BUCKET, Keyspace.DEFAULT, collectionOf(database));
        this.collection = collection;
        this.secured = secured;
    }

    private static String collectionOf(String database) {
        return "d-" + database.replace("%", "%25").replace(".", "%2E");
    }

    /** Removes all data of a database. */
    static void drop(DocumentStore store, String database) {
        try {
            StoreCalls.of(store.with(SystemHandle.COUCH)
                    .catalog()
                    .dropCollection(new Keyspace(BUCKET, Keyspace.DEFAULT, collectionOf(database))));
        } catch (DocumentsException e) {
            if (!NOT_THERE.contains(e.code())) {
                throw e;
            }
        }
    }

    /** Returns the name of this installation to clients; it is made at the first call. */
    static String serverId(DocumentStore store) {
        SideStore server = new SideStore(store, SERVER, 0, 0);
        DocumentKey key = server.key('s', "uuid");
        Optional<Document> known = server.find(key);
        if (known.isEmpty()) {
            String made = BulkEndpoints.newId();
            server.write(Write.insert(key, RawObject.quoted(made)));
            known = server.find(key);
        }
        return JsonMapper.shared().readTree(known.orElseThrow().body()).asString();
    }

    private DocumentKey key(char kind, String name) {
        return key(collection, kind, name);
    }

    private DocumentKey key(int number, char kind, String name) {
        return new DocumentKey(keyspace, number + ":" + kind + ':' + name);
    }

    private Optional<Document> find(DocumentKey key) {
        try {
            return StoreCalls.of(store.get(key));
        } catch (DocumentsException e) {
            if (NOT_THERE.contains(e.code())) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private void write(Write write) {
        try {
            StoreCalls.of(store.write(write));
        } catch (DocumentsException e) {
            if (!NOT_THERE.contains(e.code())) {
                throw e;
            }
            create();
            StoreCalls.of(store.write(write));
        }
    }

    private void create() {
        try {
            StoreCalls.of(store.catalog().createBucket(BUCKET, 1));
        } catch (DocumentsException e) {
            ignore(e, Code.BUCKET_EXISTS);
        }
        try {
            StoreCalls.of(store.catalog().createCollection(keyspace));
        } catch (DocumentsException e) {
            ignore(e, Code.COLLECTION_EXISTS);
        }
    }

    private static void ignore(DocumentsException failure, Code expected) {
        if (failure.code() != expected) {
            throw failure;
        }
    }

    /** Returns the {@code _security} of the database as it was sent. */
    Optional<byte[]> security() {
        return find(key(secured, 'y', "security")).map(Document::body);
    }

    void putSecurity(byte[] json) {
        write(Write.upsert(key(secured, 'y', "security"), json));
    }

    Optional<Document> local(String id) {
        return find(key('l', id));
    }

    /** Returns the ids of the local documents in a range. */
    Iterator<String> locals(IdRange range, boolean descending) {
        String prefix = key('l', "").id();
        String from = range.from();
        String to = range.to();
        IdRange own = new IdRange(
                prefix + (from == null ? "" : from),
                from == null || range.fromIncluded(),
                // the character behind the colon that ends the prefix
                to == null ? prefix.substring(0, prefix.length() - 1) + ';' : prefix + to,
                to != null && range.toIncluded());
        try {
            IdPages pages = new IdPages(store, keyspace, own, descending);
            return StreamSupport.stream(Spliterators.spliteratorUnknownSize(pages, 0), false)
                    .map(id -> id.substring(prefix.length()))
                    .iterator();
        } catch (DocumentsException e) {
            if (NOT_THERE.contains(e.code())) {
                return Collections.emptyIterator();
            }
            throw e;
        }
    }

    /** Stores the ordinary members of a local document, or removes one that is sent as deleted, and returns its revision. */
    String putLocal(String id, RawObject sent) {
        if (sent.isTrue("_deleted")) {
            return removeLocal(id);
        }
        RawObject body = RawObject.empty();
        sent.members().forEach((name, value) -> {
            if (!name.startsWith("_")) {
                body.put(name, value);
            }
        });
        write(Write.upsert(key('l', id), body.bytes()));
        return "0-" + local(id).map(Document::revision).orElse(1L);
    }

    /** Removes a local document and returns the revision that CouchDB names then. */
    String removeLocal(String id) {
        write(Write.remove(key('l', id)));
        return "0-0";
    }

    private DocumentKey bodyKey(String id, Revision revision) {
        return key('b', Hashes.md5(id + '\0' + revision));
    }

    /** Returns the body of a revision that is not stored with its document. */
    Optional<byte[]> body(String id, Revision revision) {
        return find(bodyKey(id, revision)).map(Document::body);
    }

    void putBody(String id, Revision revision, byte[] body) {
        write(Write.upsert(bodyKey(id, revision), body));
    }

    private DocumentKey attachmentKey(String digest) {
        byte[] md5 = Base64.getDecoder().decode(digest.substring(digest.indexOf('-') + 1));
        return key('a', HexFormat.of().formatHex(md5));
    }

    Optional<byte[]> attachment(String digest) {
        return find(attachmentKey(digest)).map(Document::body);
    }

    /** Stores bytes and returns their digest. */
    String putAttachment(byte[] bytes) {
        if (bytes.length > CouchLimits.MAX_ATTACHMENT_BYTES) {
            throw CouchException.tooLarge(
                    "An attachment may have at most %,d bytes.".formatted(CouchLimits.MAX_ATTACHMENT_BYTES));
        }
        String digest =
                "md5-" + new String(Base64.getEncoder().encode(Hashes.md5().digest(bytes)), StandardCharsets.US_ASCII);
        write(Write.upsert(attachmentKey(digest), bytes).withDatatype(Datatype.BINARY));
        return digest;
    }
}
