package io.millrace.couch.document;

import io.millrace.couch.CouchException;
import io.millrace.couch.CouchRequest;
import io.millrace.couch.CouchResponse;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.ReadRoom;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Endpoints for many documents at once; each document has its own result. */
final class BulkEndpoints {

    private static final int AT_ONCE = 64;
    private static final JsonMapper JSON = JsonMapper.shared();

    private final CouchDatabase database;
    private final ReadRoom room;

    BulkEndpoints(CouchDatabase database, ReadRoom room) {
        this.database = database;
        this.room = room;
    }

    CouchResponse handle(String endpoint, CouchRequest request) {
        if (!request.is("POST")) {
            throw CouchException.methodNotAllowed("POST");
        }
        request.requireJson();
        RawObject body = RawObject.parse(request.body());
        return switch (endpoint) {
            case "_bulk_docs" -> bulkDocs(body, request);
            case "_bulk_get" -> bulkGet(body, new QueryParameters(request.query()));
            case "_revs_diff" -> revsDiff(body, true);
            default -> revsDiff(body, false);
        };
    }

    private CouchResponse bulkDocs(RawObject body, CouchRequest request) {
        byte[] docs = body.get("docs");
        List<byte[]> sent = docs == null ? null : RawObject.elements(docs);
        if (sent == null) {
            throw CouchException.badRequest("POST body must include `docs` parameter.");
        }
        JsonNode newEdits = body.tree("new_edits");
        if (!newEdits.isMissingNode() && !newEdits.isBoolean()) {
            throw CouchException.badRequest("`new_edits` parameter must be a boolean.");
        }
        boolean edits = newEdits.asBoolean(true);
        boolean atomic = body.isTrue("all_or_nothing");
        String key = request.header("idempotency-key");
        ArrayNode answer = JSON.createArrayNode();
        List<Sent> documents = new ArrayList<>();
        for (int i = 0; i < sent.size(); i++) {
            documents.add(Sent.read(sent.get(i), key == null ? "" : key + '\0' + i));
        }
        // sequentially, so that the feed has them in the order of the request
        for (Sent document : documents) {
            JsonNode result = atomic ? refused(document.edit().id()) : edit(document, edits);
            if (result != null) {
                answer.add(result);
            }
        }
        return CouchResponse.json(atomic ? 417 : 201, answer);
    }

    /**
     * A document of a request, read before any of them is written.
     *
     * @param local the members of a local document, or null for any other
     */
    private record Sent(Edit edit, @Nullable RawObject local, String salt) {

        /** Throws a {@link CouchException} if the text is not a document: nothing of the request is written yet. */
        static Sent read(byte[] text, String salt) {
            RawObject document = RawObject.parse(text);
            if (document.get("_id") == null) {
                document.put("_id", salt.isEmpty() ? newId() : Hashes.md5(salt));
            }
            Edit edit = Edit.read(document, null, null);
            return new Sent(edit, edit.id().startsWith("_local/") ? document : null, salt);
        }
    }

    private static JsonNode refused(String id) {
        return JSON.createObjectNode()
                .put("id", id)
                .put("error", "not_implemented")
                .put("reason", "all_or_nothing is not supported");
    }

    static String newId() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    private @Nullable JsonNode edit(Sent document, boolean edits) {
        String id = document.edit().id();
        ObjectNode result = JSON.createObjectNode();
        try {
            if (document.local() != null) {
                String rev = database.side().putLocal(id, document.local());
                return edits ? result.put("ok", true).put("id", id).put("rev", rev) : null;
            }
            if (!edits) {
                database.documents().graft(document.edit());
                return null;
            }
            Revision made = database.documents().edit(document.edit(), document.salt());
            return result.put("ok", true).put("id", id).put("rev", made.toString());
        } catch (CouchException e) {
            return failed(result.put("id", id), e);
        } catch (DocumentsException e) {
            if (e.unavailable()) {
                throw e;
            }
            return failed(result.put("id", id), StoreErrors.translated(e));
        }
    }

    private static ObjectNode failed(ObjectNode result, CouchException failure) {
        return result.put("error", failure.error()).put("reason", failure.reason());
    }

    private interface Work<V> {
        void run(String id, V value);
    }

    /** Handles the ids independently, a limited number of them concurrently. */
    private static <V> void concurrently(Map<String, V> all, Work<V> work) {
        Semaphore room = new Semaphore(AT_ONCE);
        List<CompletableFuture<Void>> running = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            all.forEach((id, value) -> {
                room.acquireUninterruptibly();
                running.add(CompletableFuture.runAsync(() -> work.run(id, value), threads)
                        .whenComplete((done, failure) -> room.release()));
            });
        }
        for (CompletableFuture<Void> one : running) {
            StoreCalls.of(one);
        }
    }

    private CouchResponse bulkGet(RawObject body, QueryParameters query) {
        JsonNode docs = body.tree("docs");
        if (!docs.isArray()) {
            throw CouchException.badRequest("Missing JSON list of 'docs'.");
        }
        Rendering.Options options = Rendering.Options.of(query);
        boolean latest = query.isTrue("latest");
        List<String> ids = new ArrayList<>();
        docs.forEach(wanted -> ids.add(wanted.path("id").asString("")));
        ReadAhead documents = new ReadAhead(database, ids.iterator(), true, room);
        Iterator<JsonNode> wanted = docs.iterator();
        return new CouchResponse.Streamed(
                200,
                Map.of("Content-Type", "application/json"),
                new RowChunks(
                        "{\"results\":[",
                        ",",
                        "]}\n",
                        () -> {
                            CouchDocument document = documents.next();
                            return document == null ? null : one(document, wanted.next(), latest, options);
                        },
                        documents::close));
    }

    private byte[] one(CouchDocument document, JsonNode wanted, boolean latest, Rendering.Options options) {
        String id = document.id();
        String rev = wanted.path("rev").isString() ? wanted.path("rev").asString() : null;
        List<String> found = new ArrayList<>();
        for (Leaf leaf : leaves(document, rev, latest)) {
            database.rendering().render(document, leaf, options).ifPresent(text -> found.add("{\"ok\":" + text + "}"));
        }
        if (found.isEmpty()) {
            ObjectNode missing = JSON.createObjectNode();
            missing.putObject("error")
                    .put("id", id)
                    .put("rev", rev == null ? "undefined" : rev)
                    .put("error", "not_found")
                    .put("reason", "missing");
            found.add(missing.toString());
        }
        return RawObject.empty()
                .put("id", id)
                .put("docs", ("[" + String.join(",", found) + "]").getBytes(StandardCharsets.UTF_8))
                .bytes();
    }

    private static List<Leaf> leaves(CouchDocument document, @Nullable String rev, boolean latest) {
        if (rev == null) {
            return document.winner().stream().toList();
        }
        Revision revision = Revision.parse(rev);
        return latest
                ? document.tree().leavesAfter(revision)
                : document.tree().leaf(revision).stream().toList();
    }

    private CouchResponse revsDiff(RawObject body, boolean wrapped) {
        ObjectNode answer = JSON.createObjectNode();
        Map<String, JsonNode> asked = new TreeMap<>();
        body.members().keySet().forEach(id -> asked.put(id, body.tree(id)));
        Map<String, JsonNode> missing = java.util.Collections.synchronizedMap(new TreeMap<>());
        concurrently(asked, (id, revisions) -> missing(id, revisions, wrapped).ifPresent(m -> missing.put(id, m)));
        missing.forEach(answer::set);
        return CouchResponse.json(
                200, wrapped ? answer : JSON.createObjectNode().set("missing_revs", answer));
    }

    private Optional<JsonNode> missing(String id, JsonNode revisions, boolean wrapped) {
        CouchDocument document = database.documents().read(id);
        ArrayNode missing = JSON.createArrayNode();
        long highest = 0;
        for (JsonNode asked : revisions) {
            Revision revision = Revision.parse(asked.asString(""));
            if (!document.tree().contains(revision)) {
                missing.add(revision.toString());
                highest = Math.max(highest, revision.generation());
            }
        }
        if (missing.isEmpty()) {
            return Optional.empty();
        }
        if (!wrapped) {
            return Optional.of(missing);
        }
        ObjectNode entry = JSON.createObjectNode();
        entry.set("missing", missing);
        ArrayNode ancestors = JSON.createArrayNode();
        for (Leaf leaf : document.tree().leaves()) {
            if (leaf.path().start() < highest) {
                ancestors.add(leaf.revision().toString());
            }
        }
        if (!ancestors.isEmpty()) {
            entry.set("possible_ancestors", ancestors);
        }
        return Optional.of(entry);
    }
}
