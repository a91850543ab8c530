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
import io.millrace.n1ql.keyspace.FunctionDefinition;
import io.millrace.n1ql.keyspace.FunctionDefinition.Language;
import io.millrace.n1ql.keyspace.FunctionStore;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.FieldName;
import io.millrace.n1ql.value.Json;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** User-defined functions as documents of a bucket of the system, which is created for the first one. Thread-safe. */
final class StoredFunctions implements FunctionStore {

    /** The most functions; each list reads all of them. */
    static final int MOST = 1_000;

    /** The bucket of what statements create that is in no keyspace. */
    static final String BUCKET = "_query";

    private static final Keyspace FUNCTIONS = Keyspace.of(BUCKET);

    private static final FieldName PARAMETERS = FieldName.of("parameters");
    private static final FieldName VARIADIC = FieldName.of("variadic");
    private static final FieldName LANGUAGE = FieldName.of("language");
    private static final FieldName EXPRESSION = FieldName.of("expression");

    private final DocumentStore store;

    StoredFunctions(DocumentStore store) {
        this.store = store.with(SystemHandle.QUERY);
    }

    @Override
    public @Nullable FunctionDefinition find(FunctionDefinition.Name name) {
        return awaitIfThere(store.get(key(name)), Optional.<Document>empty())
                .map(StoredFunctions::definition)
                .orElse(null);
    }

    @Override
    public List<FunctionDefinition> all() {
        List<String> ids = awaitIfThere(store.ids(FUNCTIONS, IdRange.ALL, MOST), List.of());
        List<CompletableFuture<Optional<Document>>> documents = new ArrayList<>();
        for (String id : ids) {
            documents.add(store.get(new DocumentKey(FUNCTIONS, id)));
        }
        List<FunctionDefinition> all = new ArrayList<>();
        for (CompletableFuture<Optional<Document>> document : documents) {
            await(document).ifPresent(found -> all.add(definition(found)));
        }
        return all;
    }

    @Override
    public boolean put(FunctionDefinition definition, boolean replace) {
        byte[] body = body(definition).getBytes(StandardCharsets.UTF_8);
        DocumentKey key = key(definition.name());
        createBucket();
        if (await(store.count(FUNCTIONS)) >= MOST && find(definition.name()) == null) {
            throw QueryException.of(
                    ErrorCode.DML, "There are %,d functions, the most there can be; drop some.".formatted(MOST));
        }
        WriteResult result = await(store.write(replace ? Write.upsert(key, body) : Write.insert(key, body)));
        return result instanceof WriteResult.Written;
    }

    @Override
    public boolean drop(FunctionDefinition.Name name) {
        return awaitIfThere(
                store.write(Write.remove(key(name))).thenApply(result -> result instanceof WriteResult.Written), false);
    }

    private void createBucket() {
        boolean there = await(store.catalog().find(BUCKET)).isPresent();
        if (!there) {
            await(StoreErrors.unless(
                    store.catalog().createBucket(BUCKET, 1).thenApply(made -> true),
                    EnumSet.of(Code.BUCKET_EXISTS),
                    false));
        }
    }

    private static <T> T awaitIfThere(CompletableFuture<T> answer, T otherwise) {
        return await(StoreErrors.unless(answer, StoreErrors.NOT_THERE, otherwise));
    }

    private static <T> T await(CompletableFuture<T> answer) {
        return StoreErrors.await(StoreErrors.answer(answer));
    }

    // ---- documents

    /** Neither a bucket nor a scope has a slash in its name. */
    private static DocumentKey key(FunctionDefinition.Name name) {
        String place = name.bucket() == null ? "/" : name.bucket() + "/" + name.scope();
        return new DocumentKey(FUNCTIONS, place + "/" + name.function());
    }

    private static String body(FunctionDefinition definition) {
        Map<String, Value> fields = new LinkedHashMap<>();
        fields.put("language", Value.of(definition.language().label()));
        fields.put("parameters", ArrayValue.ofStrings(definition.parameters()));
        fields.put("variadic", Value.of(definition.variadic()));
        fields.put("expression", Value.of(definition.expression()));
        return ObjectValue.of(fields).toJson();
    }

    private static FunctionDefinition definition(Document document) {
        String[] parts = document.key().id().split("/", 3);
        boolean global = parts[0].isEmpty();
        FunctionDefinition.Name name =
                new FunctionDefinition.Name(global ? null : parts[0], global ? null : parts[1], parts[2]);
        Value body = Json.parse(document.body());
        if (body != null
                && body.field(PARAMETERS) instanceof ArrayValue parameters
                && body.field(EXPRESSION) instanceof StringValue expression) {
            List<String> names = parameters.items().stream()
                    .map(parameter -> ((StringValue) parameter).text())
                    .toList();
            boolean script = body.field(LANGUAGE) instanceof StringValue language
                    && language.text().equals(Language.JAVASCRIPT.label());
            return new FunctionDefinition(
                    name,
                    script ? Language.JAVASCRIPT : Language.INLINE,
                    names,
                    body.field(VARIADIC).truth(),
                    expression.text());
        }
        throw QueryException.of(
                ErrorCode.INTERNAL, "The definition of the function %s cannot be read.".formatted(name));
    }
}
