package io.millrace.handler;

import io.millrace.handler.host.DocumentCall;
import io.millrace.handler.host.DocumentCall.DocumentAnswer;
import io.millrace.handler.host.HandlerHost;
import io.millrace.handler.host.HostFailure;
import io.millrace.handler.host.HttpCall;
import io.millrace.handler.host.PublishCall;
import io.millrace.handler.host.SqlCall;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A host that keeps its documents in a map by alias and id. */
class MemoryHost implements HandlerHost {
    final Map<String, StoredDocument> documents = new ConcurrentHashMap<>();
    final List<String> lines = new ArrayList<>();
    final List<DocumentCall> calls = new ArrayList<>();
    final List<HttpCall> requests = new ArrayList<>();
    /** The results of advanced accessors. */
    @Nullable
    DocumentAnswer answer;
    /** What curl gets. */
    HttpCall.@Nullable Answer response;
    /** What publish was called with. */
    final List<PublishCall> published = new ArrayList<>();
    /** What sql was called with. */
    final List<SqlCall> statements = new ArrayList<>();
    /** What sql gets, unless it fails. */
    SqlCall.@Nullable Answer sqlAnswer;

    @Nullable
    HostFailure sqlFailure;

    @Override
    public @Nullable StoredDocument get(String alias, String id) throws HostFailure {
        return documents.get(alias + "/" + id);
    }

    @Override
    public void upsert(String alias, String id, StoredDocument document) throws HostFailure {
        documents.put(alias + "/" + id, document);
    }

    @Override
    public boolean delete(String alias, String id, boolean mustExist) throws HostFailure {
        return documents.remove(alias + "/" + id) != null || !mustExist;
    }

    @Override
    public DocumentAnswer access(DocumentCall call) throws HostFailure {
        calls.add(call);
        return Objects.requireNonNull(answer, "answer");
    }

    @Override
    public HttpCall.Answer curl(HttpCall call) throws HostFailure {
        requests.add(call);
        return Objects.requireNonNull(response, "response");
    }

    @Override
    public void publish(PublishCall call) {
        published.add(call);
    }

    @Override
    public SqlCall.Answer sql(SqlCall call) throws HostFailure {
        statements.add(call);
        HostFailure failure = sqlFailure;
        if (failure != null) {
            throw failure;
        }
        return Objects.requireNonNull(sqlAnswer, "sqlAnswer");
    }

    @Override
    public BindingDetails bindingDetails(String alias) {
        return switch (alias) {
            case "many" -> new BindingDetails("bucket", "*", "*", "rw");
            case "source" -> new BindingDetails("bucket", "scope", "collection", "r");
            default -> new BindingDetails("bucket", "scope", "collection", "rw");
        };
    }

    @Override
    public void log(LogLevel level, String line) {
        lines.add(level + " " + line);
    }

    void put(String alias, String id, String json) {
        documents.put(alias + "/" + id, new StoredDocument(json.getBytes(StandardCharsets.UTF_8), false));
    }

    /** Returns a document's text, null when there is none. */
    @Nullable
    String text(String alias, String id) {
        var document = documents.get(alias + "/" + id);
        return document == null ? null : new String(document.body(), StandardCharsets.UTF_8);
    }
}
