package io.millrace.couch.document;

import io.millrace.couch.CouchException;
import io.millrace.couch.CouchRequest;
import io.millrace.couch.CouchResponse;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.IdRange;
import io.millrace.documents.ReadRoom;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code _all_docs} and its likes: lists documents by id, row by row, so that memory does not depend on the number or
 * the size of the documents.
 */
final class ListingEndpoints {

    private static final JsonMapper JSON = JsonMapper.shared();
    /** The ids of design documents: those that begin with {@code _design/}. */
    static final IdRange DESIGNS = new IdRange("_design/", true, "_design0", false);

    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

    private final DocumentStore store;
    private final CouchDatabase database;
    private final ReadRoom room;

    ListingEndpoints(DocumentStore store, CouchDatabase database, ReadRoom room) {
        this.store = store;
        this.database = database;
        this.room = room;
    }

    CouchResponse allDocs(CouchRequest request) {
        return list(request, IdRange.ALL);
    }

    CouchResponse designDocs(CouchRequest request) {
        return list(request, DESIGNS);
    }

    private CouchResponse list(CouchRequest request, IdRange within) {
        if (!request.reads() && !request.is("POST")) {
            throw CouchException.methodNotAllowed("GET,HEAD,POST");
        }
        QueryParameters query = parameters(request);
        JsonNode keys = query.json("keys");
        Rendering.Options options = Rendering.Options.of(query);
        boolean docs = query.isTrue("include_docs");
        if (keys != null) {
            AllDocsRange.refuseBesidesKeys(query);
            ObjectNode head =
                    head(query, store.countIds(database.keyspace(), within)).put("offset", 0);
            ReadAhead documents = new ReadAhead(database, wanted(keys, query), docs, room);
            return rows(head, documents, document -> keyed(document, docs, options, documents));
        }
        AllDocsRange range = AllDocsRange.of(query, within);
        // asked together: each answer waits behind all other requests
        CompletableFuture<Long> total = store.countIds(database.keyspace(), within);
        CompletableFuture<Long> front = store.countIds(database.keyspace(), range.front(within));
        Iterator<String> ids =
                new IdPages(store, database.keyspace(), range.ids(), range.descending(), range.pageIds());
        ObjectNode head = head(query, total).put("offset", StoreCalls.of(front) + range.skip());
        ReadAhead documents = new ReadAhead(database, AllDocsRange.cut(ids, range.skip(), range.limit()), docs, room);
        return rows(head, documents, document -> document.live() ? row(document, docs, options, documents) : null);
    }

    private ObjectNode head(QueryParameters query, CompletableFuture<Long> total) {
        ObjectNode head = JSON.createObjectNode().put("total_rows", StoreCalls.of(total));
        return query.isTrue("update_seq")
                ? head.put(
                        "update_seq",
                        Sequence.text(StoreCalls.of(database.changes().high())))
                : head;
    }

    /** The members of a body are parameters, too, and prevail. */
    private static QueryParameters parameters(CouchRequest request) {
        Map<String, String> all = new LinkedHashMap<>(request.query());
        if (request.is("POST") && request.body().length > 0) {
            request.requireJson();
            RawObject.parse(request.body())
                    .members()
                    .forEach((name, value) -> all.put(name, new String(value, StandardCharsets.UTF_8)));
        }
        return new QueryParameters(all);
    }

    private static Iterator<String> wanted(JsonNode keys, QueryParameters query) {
        if (!keys.isArray()) {
            throw CouchException.badRequest("`keys` must be an array of ids.");
        }
        List<String> ids = new ArrayList<>();
        keys.forEach(key -> ids.add(key.asString("")));
        if (query.isTrue("descending")) {
            Collections.reverse(ids);
        }
        Long skip = query.count("skip");
        Long limit = query.count("limit");
        return AllDocsRange.cut(ids.iterator(), skip == null ? 0 : skip, limit == null ? Long.MAX_VALUE : limit);
    }

    private interface Row {
        /** Returns the row of a document, or null if it has gone since its id was read. */
        byte @Nullable [] of(CouchDocument document);
    }

    private static CouchResponse rows(ObjectNode head, ReadAhead documents, Row row) {
        return listing(
                head,
                () -> {
                    CouchDocument document = documents.next();
                    while (document != null) {
                        byte[] text = row.of(document);
                        if (text != null) {
                            return text;
                        }
                        document = documents.next();
                    }
                    return null;
                },
                documents::close);
    }

    private static CouchResponse listing(ObjectNode head, RowChunks.Rows rows, Runnable end) {
        String opening = JSON.writeValueAsString(head);
        return new CouchResponse.Streamed(
                200,
                Map.of("Content-Type", "application/json"),
                new RowChunks(
                        opening.substring(0, opening.length() - 1) + ",\"rows\":[\r\n",
                        ",\r\n",
                        "\r\n]}\n",
                        rows,
                        end));
    }

    private byte[] keyed(CouchDocument document, boolean docs, Rendering.Options options, ReadAhead documents) {
        return document.winner().isPresent()
                ? row(document, docs, options, documents)
                : RawObject.empty()
                        .put("key", document.id())
                        .put("error", "not_found")
                        .bytes();
    }

    private byte[] row(CouchDocument document, boolean docs, Rendering.Options options, ReadAhead documents) {
        Leaf winner = document.winner().orElseThrow();
        RawObject row = RawObject.empty().put("id", document.id()).put("key", document.id());
        ObjectNode value = JSON.createObjectNode().put("rev", winner.revision().toString());
        if (winner.deleted()) {
            value.put("deleted", true);
        }
        row.put("value", value);
        if (docs) {
            row.put(
                    "doc",
                    winner.deleted()
                            ? NULL
                            : database.rendering()
                                    .render(document, winner, options, documents::count)
                                    .map(RawObject::bytes)
                                    .orElse(NULL));
        }
        return row.bytes();
    }

    /** Lists the local documents of the database. */
    CouchResponse localDocs(CouchRequest request) {
        if (!request.reads() && !request.is("POST")) {
            throw CouchException.methodNotAllowed("GET,HEAD,POST");
        }
        QueryParameters query = parameters(request);
        boolean docs = query.isTrue("include_docs");
        JsonNode keys = query.json("keys");
        AllDocsRange range = AllDocsRange.of(query, IdRange.ALL);
        Iterator<String> ids = keys == null
                ? AllDocsRange.cut(database.side().locals(range.ids(), range.descending()), range.skip(), range.limit())
                : wanted(keys, query);
        return listing(
                JSON.createObjectNode().putNull("total_rows").putNull("offset"),
                () -> ids.hasNext() ? local(ids.next(), docs) : null,
                () -> {});
    }

    private byte[] local(String id, boolean docs) {
        return database.side()
                .local(id)
                .map(found -> {
                    RawObject row = RawObject.empty().put("id", id).put("key", id);
                    row.put("value", JSON.createObjectNode().put("rev", "0-" + found.revision()));
                    if (docs) {
                        row.put("doc", DocumentEndpoints.local(id, found).bytes());
                    }
                    return row.bytes();
                })
                .orElseGet(() -> RawObject.empty()
                        .put("key", id)
                        .put("error", "not_found")
                        .bytes());
    }
}
