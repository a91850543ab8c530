package io.millrace.couch.document;

import io.millrace.couch.CouchException;
import io.millrace.couch.CouchRequest;
import io.millrace.couch.CouchResponse;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.ReadRoom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.LongConsumer;
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
        if (atomic) {
            documents.forEach(document -> answer.add(refused(document.edit().id())));
            return CouchResponse.json(417, answer);
        }
        for (int from = 0, to; from < documents.size(); from = to) {
            to = stretch(documents, from);
            write(documents.subList(from, to), edits, answer);
        }
        return CouchResponse.json(201, answer);
    }

    /** Returns the end of the documents from {@code from} on that are written without waiting in between: each is another one. */
    private static int stretch(List<Sent> documents, int from) {
        Set<String> ids = new HashSet<>();
        int to = from;
        while (to < documents.size()
                && to - from < AT_ONCE
                && ids.add(documents.get(to).edit().id())) {
            to++;
        }
        return to;
    }

    /**
     * Writes different documents, and adds their results. They are sent in the order of the request, so that the feed has them in
     * that order, and what is on its way at the same time goes to the store together. Only one that another writer has changed
     * since it was read is written later.
     */
    private void write(List<Sent> documents, boolean edits, ArrayNode answer) {
        List<Started> started = new ArrayList<>(documents.size());
        Iterator<String> ids = documents.stream()
                .map(document -> document.local() == null ? document.edit().id() : "")
                .iterator();
        try (ReadAhead stored = new ReadAhead(database, ids, true, room)) {
            for (Sent document : documents) {
                started.add(start(document, edits, stored));
            }
        }
        for (Started next : started) {
            JsonNode result = end(next, edits);
            if (result != null) {
                answer.add(result);
            }
        }
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

    /**
     * A document of a request on its way.
     *
     * @param change what is being written, or null for a document that has its result
     * @param result null for none
     */
    private record Started(
            Sent sent,
            Writer.@Nullable Attempt change,
            @Nullable JsonNode result) {}

    /** Starts to write the next of the stored documents. */
    private Started start(Sent sent, boolean edits, ReadAhead stored) {
        Edit edit = sent.edit();
        try {
            CouchDocument document = Objects.requireNonNull(stored.next());
            if (sent.local() != null) {
                String rev = database.side().putLocal(edit.id(), sent.local());
                return new Started(sent, null, edits ? done(edit.id(), rev) : null);
            }
            Writer writer = database.documents();
            Writer.Attempt change = edits ? writer.edit(document, edit, sent.salt()) : writer.graft(document, edit);
            return new Started(sent, change, null);
        } catch (CouchException | DocumentsException e) {
            return new Started(sent, null, failed(edit.id(), e));
        }
    }

    /** Waits for the result of a document; null for none. */
    private @Nullable JsonNode end(Started started, boolean edits) {
        Writer.Attempt change = started.change();
        if (change == null) {
            return started.result();
        }
        Edit edit = started.sent().edit();
        try {
            Revision made = change.revision();
            if (!StoreCalls.of(change.written())) {
                made = again(started.sent(), edits);
            }
            return edits ? done(edit.id(), made.toString()) : null;
        } catch (CouchException | DocumentsException e) {
            return failed(edit.id(), e);
        }
    }

    private Revision again(Sent sent, boolean edits) {
        Writer writer = database.documents();
        return edits ? writer.edit(sent.edit(), sent.salt()) : writer.graft(sent.edit());
    }

    private static ObjectNode done(String id, String rev) {
        return JSON.createObjectNode().put("ok", true).put("id", id).put("rev", rev);
    }

    /** Returns the result of a document that was refused; throws what is wrong with the store and not with the document. */
    private static ObjectNode failed(String id, RuntimeException failure) {
        if (failure instanceof DocumentsException store && store.unavailable()) {
            throw store;
        }
        CouchException reason =
                failure instanceof DocumentsException store ? StoreCalls.translated(store) : (CouchException) failure;
        return JSON.createObjectNode()
                .put("id", id)
                .put("error", reason.error())
                .put("reason", reason.reason());
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
                            return document == null
                                    ? null
                                    : one(document, wanted.next(), latest, options, documents::count);
                        },
                        documents::close));
    }

    private byte[] one(
            CouchDocument document, JsonNode wanted, boolean latest, Rendering.Options options, LongConsumer attached) {
        String id = document.id();
        String rev = wanted.path("rev").isString() ? wanted.path("rev").asString() : null;
        List<Leaf> leaves = List.of();
        CouchException refusal = null;
        try {
            leaves = leaves(document, rev, latest);
        } catch (CouchException e) {
            refusal = e; // of this one alone: others are on their way to the client
        }
        List<byte[]> found = new ArrayList<>();
        for (Leaf leaf : leaves) {
            database.rendering()
                    .render(document, leaf, options, attached)
                    .ifPresent(text ->
                            found.add(RawObject.empty().put("ok", text.bytes()).bytes()));
        }
        if (found.isEmpty()) {
            ObjectNode refused = JSON.createObjectNode();
            refused.putObject("error")
                    .put("id", id)
                    .put("rev", rev == null ? "undefined" : rev)
                    .put("error", refusal == null ? "not_found" : refusal.error())
                    .put("reason", refusal == null ? "missing" : refusal.reason());
            found.add(JSON.writeValueAsBytes(refused));
        }
        return RawObject.empty()
                .put("id", id)
                .put("docs", RawObject.array(found))
                .bytes();
    }

    private static List<Leaf> leaves(CouchDocument document, @Nullable String rev, boolean latest) {
        if (document.id().isEmpty()) {
            throw CouchException.badRequest("document id missed");
        }
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
        CouchDocument document = database.documents().readMetadata(id);
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
