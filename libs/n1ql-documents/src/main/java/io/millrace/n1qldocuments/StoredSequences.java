package io.millrace.n1qldocuments;

import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException.Code;
import io.millrace.documents.IdRange;
import io.millrace.documents.Keyspace;
import io.millrace.documents.SystemHandle;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.keyspace.Sequence;
import io.millrace.n1ql.keyspace.SequenceName;
import io.millrace.n1ql.keyspace.SequenceStore;
import io.millrace.n1ql.value.FieldName;
import io.millrace.n1ql.value.Json;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Sequences as documents of a bucket of the system. A block of values is reserved by a write that expects the version that was
 * read, so no two processes get the same values. Thread-safe.
 */
final class StoredSequences implements SequenceStore {

    /** The most sequences; each list reads all of them. */
    static final int MOST = 1_000;

    private static final Keyspace SEQUENCES = new Keyspace(StoredFunctions.BUCKET, "_default", "sequences");

    private final DocumentStore store;

    StoredSequences(DocumentStore store) {
        this.store = store.with(SystemHandle.QUERY);
    }

    @Override
    public @Nullable Kept find(SequenceName name) {
        return awaitIfThere(store.get(key(name)), Optional.<Document>empty())
                .map(document -> new Kept(sequence(document), document.cas()))
                .orElse(null);
    }

    @Override
    public List<Sequence> all() {
        List<CompletableFuture<Optional<Document>>> documents = new ArrayList<>();
        for (String id : awaitIfThere(store.ids(SEQUENCES, IdRange.ALL, MOST), List.of())) {
            documents.add(store.get(new DocumentKey(SEQUENCES, id)));
        }
        List<Sequence> all = new ArrayList<>();
        for (CompletableFuture<Optional<Document>> document : documents) {
            await(document).ifPresent(found -> all.add(sequence(found)));
        }
        return all;
    }

    @Override
    public boolean create(Sequence sequence) {
        createCollection();
        if (await(store.count(SEQUENCES)) >= MOST) {
            throw QueryException.of(
                    ErrorCode.DML, "There are %,d sequences, the most there can be; drop some.".formatted(MOST));
        }
        return written(Write.insert(key(sequence.name()), body(sequence)));
    }

    @Override
    public boolean replace(Kept seen, Sequence now) {
        return written(Write.replace(key(now.name()), body(now)).withCas(seen.version()));
    }

    @Override
    public boolean drop(SequenceName name) {
        return written(Write.remove(key(name)));
    }

    private boolean written(Write write) {
        return awaitIfThere(store.write(write).thenApply(result -> result instanceof WriteResult.Written), false);
    }

    private void createCollection() {
        if (await(store.catalog().find(StoredFunctions.BUCKET)).isEmpty()) {
            made(store.catalog().createBucket(StoredFunctions.BUCKET, 1), Code.BUCKET_EXISTS);
        }
        made(store.catalog().createCollection(SEQUENCES), Code.COLLECTION_EXISTS);
    }

    private static void made(CompletableFuture<?> creation, Code exists) {
        await(StoreErrors.unless(creation.thenApply(made -> true), EnumSet.of(exists), false));
    }

    private static <T> T awaitIfThere(CompletableFuture<T> answer, T otherwise) {
        return await(StoreErrors.unless(answer, StoreErrors.NOT_THERE, otherwise));
    }

    private static <T> T await(CompletableFuture<T> answer) {
        return StoreErrors.await(StoreErrors.answer(answer));
    }

    // ---- documents

    /** Neither a bucket nor a scope has a slash in its name. */
    private static DocumentKey key(SequenceName name) {
        return new DocumentKey(SEQUENCES, name.bucket() + "/" + name.scope() + "/" + name.sequence());
    }

    private static byte[] body(Sequence sequence) {
        Map<String, Value> fields = sequence.options();
        fields.put("generation", Value.of(sequence.generation()));
        Long next = sequence.next();
        fields.put("next", next == null ? Value.NULL : Value.of(next.longValue()));
        return ObjectValue.of(fields).toJson().getBytes(StandardCharsets.UTF_8);
    }

    private static Sequence sequence(Document document) {
        String[] parts = document.key().id().split("/", 3);
        Value body = Json.parse(document.body());
        if (body == null || !(body.field(FieldName.of("generation")) instanceof StringValue generation)) {
            throw unreadable(document);
        }
        return new Sequence(
                new SequenceName(parts[0], parts[1], parts[2]),
                integer(body, "start", document),
                integer(body, "increment", document),
                integer(body, "min", document),
                integer(body, "max", document),
                body.field(FieldName.of("cycle")).truth(),
                integer(body, "cache", document),
                generation.text(),
                body.field(FieldName.of("next")) instanceof NumberValue next ? Long.valueOf(next.longValue()) : null);
    }

    private static long integer(Value body, String name, Document document) {
        if (body.field(FieldName.of(name)) instanceof NumberValue number && number.isInteger()) {
            return number.longValue();
        }
        throw unreadable(document);
    }

    private static QueryException unreadable(Document document) {
        return QueryException.of(
                ErrorCode.INTERNAL,
                "The sequence %s cannot be read.".formatted(document.key().id()));
    }
}
