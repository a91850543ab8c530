package io.millrace.subdocservice.subdocuments;

import static io.millrace.documents.StoreKit.await;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentStore.LockResult;
import io.millrace.documents.Expiry;
import io.millrace.documents.Keyspace;
import io.millrace.documents.StoreKit;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.subdoc.SubDocuments;
import io.millrace.subdoc.Vector;
import io.millrace.subdoc.VectorRunner;
import io.millrace.subdocservice.subdocuments.SubDocumentExecutor.ExecutionResult;
import io.millrace.subdocservice.subdocuments.SubDocumentExecutor.WriteOptions;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Runs sub-document requests through a store, every vector on a document of its own. */
public final class StoreRunner implements VectorRunner {

    private final DocumentStore store;
    private final InstantSource clock;
    private final SubDocumentExecutor executor;
    private final Keyspace keyspace = Keyspace.of(StoreKit.uniqueBucket());
    private int documents;

    public StoreRunner(DocumentStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
        this.executor = new SubDocumentExecutor(store, clock);
        await(store.catalog().createBucket(keyspace.bucket(), 1));
    }

    @Override
    public boolean supports(Vector vector) {
        boolean expiryOfLookup = vector.has("expiry")
                && vector.specs().stream().noneMatch(spec -> spec.operation().mutation());
        return !vector.has("extras_len") && !vector.has("datatype") && !expiryOfLookup;
    }

    @Override
    public Seen run(Vector vector) {
        DocumentKey key = next();
        long cas = prepare(store, clock, key, vector);
        WriteOptions options = WriteOptions.defaults();
        if (vector.has("expiry")) {
            options = options.withExpiry(Expiry.at(
                    clock.instant().plusSeconds(vector.node().get("expiry").asLong() + 1000)));
        }
        if (vector.has("user_flags")) {
            options = options.withFlags((int) vector.node().get("user_flags").asLong());
        }
        ExecutionResult executed = await(executor.execute(key, vector.request(cas), options));
        return seen(executed, await(store.getWithTombstone(key)));
    }

    /** Returns an unused key. */
    public DocumentKey next() {
        return new DocumentKey(keyspace, "v" + documents++);
    }

    /** Stores the initial document of a vector, locked if the vector says so, and returns the CAS for the client. */
    public static long prepare(DocumentStore store, InstantSource clock, DocumentKey key, Vector vector) {
        byte @Nullable [] user = bytes(vector.xattrObject(false));
        byte @Nullable [] system = bytes(vector.xattrObject(true));
        byte[] document = vector.document();
        if (document == null) {
            return vector.tombstone() ? written(store, Write.tombstone(key, user, system)) : 0;
        }
        long cas = written(
                store,
                Write.insert(key, document)
                        .withDatatype(SubDocuments.isJson(document) ? Datatype.JSON : Datatype.BINARY)
                        .withFlags(vector.itemFlags())
                        .withXattrs(user, system));
        if (!vector.has("locked")) {
            return cas;
        }
        LockResult lock = await(store.lock(key, clock.instant().plusSeconds(15)));
        return ((LockResult.Granted) lock).cas();
    }

    private static long written(DocumentStore store, Write write) {
        return ((WriteResult.Written) await(store.write(write))).cas();
    }

    private static byte @Nullable [] bytes(@Nullable String text) {
        return text == null ? null : text.getBytes(UTF_8);
    }

    private static Seen seen(ExecutionResult executed, Optional<Document> stored) {
        Document document = stored.orElse(null);
        return new Seen(
                executed.status(),
                executed.results(),
                document == null || !document.live() ? null : document.body(),
                attributes(document),
                document == null ? null : document.flags());
    }

    /** Returns the attributes of a document, name to JSON text. */
    public static Map<String, String> attributes(@Nullable Document document) {
        Map<String, String> attributes = new LinkedHashMap<>();
        if (document != null) {
            add(document.userXattrs(), attributes);
            add(document.systemXattrs(), attributes);
        }
        return attributes;
    }

    private static void add(byte @Nullable [] object, Map<String, String> attributes) {
        if (object != null) {
            JsonMapper.shared()
                    .readTree(object)
                    .properties()
                    .forEach(entry ->
                            attributes.put(entry.getKey(), entry.getValue().toString()));
        }
    }
}
