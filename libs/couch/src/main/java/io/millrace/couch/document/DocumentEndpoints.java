package io.millrace.couch.document;

import io.millrace.couch.CouchException;
import io.millrace.couch.CouchRequest;
import io.millrace.couch.CouchResponse;
import io.millrace.documents.Document;
import io.millrace.documents.ReadRoom;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Endpoints of one document, its attachments, and local documents. */
final class DocumentEndpoints {

    /** A browser saves an attachment: shown, a page among them would be of the same origin as the API. */
    private static final Map<String, String> NOT_SHOWN = Map.of(
            "Content-Disposition",
            "attachment",
            "Content-Security-Policy",
            "sandbox; default-src 'none'; frame-ancestors 'none'");

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Rendering.Options WITH_ATTACHMENTS =
            new Rendering.Options(false, false, false, false, false, true);
    private static final String ALLOWED = "COPY,DELETE,GET,HEAD,PUT";

    private final CouchDatabase database;
    private final ReadRoom room;

    DocumentEndpoints(CouchDatabase database, ReadRoom room) {
        this.database = database;
        this.room = room;
    }

    /** @param path the decoded segments after the database */
    CouchResponse handle(List<String> path, CouchRequest request) {
        boolean prefixed = path.getFirst().equals("_design") || path.getFirst().equals("_local");
        int own = prefixed && path.size() > 1 ? 2 : 1;
        String id = String.join("/", path.subList(0, own));
        if (id.startsWith("_local/")) {
            if (path.size() > own) {
                throw CouchException.badRequest("_local documents do not accept attachments.");
            }
            return local(id, request);
        }
        if (path.getFirst().startsWith("_") && !id.startsWith("_design/")) {
            if (request.is("PUT")) {
                Edit.checkId(id);
            }
            throw CouchException.missing("missing");
        }
        if (path.size() > own && id.startsWith("_design/") && path.get(own).startsWith("_")) {
            throw CouchException.missing(
                    "Design documents have no %s here: write a function that keeps the result, or query with SQL++ (N1QL) and an index."
                            .formatted(path.get(own)));
        }
        if (path.size() > own) {
            return attachment(id, String.join("/", path.subList(own, path.size())), request);
        }
        return switch (request.method()) {
            case "GET", "HEAD" -> get(id, request);
            case "PUT" -> put(id, request);
            case "DELETE" -> delete(id, request);
            case "COPY" -> copy(id, request);
            default -> throw CouchException.methodNotAllowed(ALLOWED);
        };
    }

    /** Counts the attachments in a response as memory of the process while it is made; from then on its sender counts it. */
    private static final class CountedAttachments implements LongConsumer, AutoCloseable {

        private final ReadRoom room;
        private long held;

        CountedAttachments(ReadRoom room) {
            this.room = room;
        }

        @Override
        public void accept(long bytes) {
            held += bytes;
            room.hold(bytes);
        }

        @Override
        public void close() {
            room.give(held);
            held = 0;
        }
    }

    private CouchResponse get(String id, CouchRequest request) {
        QueryParameters query = new QueryParameters(request.query());
        CouchDocument document = database.documents().read(id);
        Rendering.Options options = Rendering.Options.of(query);
        if (query.get("open_revs") != null) {
            try (CountedAttachments attachments = new CountedAttachments(room)) {
                return openRevs(document, query, options, attachments);
            }
        }
        Leaf leaf = leaf(document, query);
        String etag = '"' + leaf.revision().toString() + '"';
        boolean tagged = options.ofTheRevisionAlone();
        if (tagged && request.knows(etag)) {
            return notModified(etag);
        }
        try (CountedAttachments attachments = new CountedAttachments(room)) {
            byte[] body = database.rendering()
                    .render(document, leaf, options, attachments)
                    .orElseThrow(() -> CouchException.missing("missing"))
                    .bytes();
            return CouchResponse.json(200, line(body), tagged ? Map.of("ETag", etag) : Map.of());
        }
    }

    private static CouchResponse notModified(String etag) {
        return new CouchResponse.Whole(304, Map.of("ETag", etag), new byte[0]);
    }

    private CouchResponse copy(String id, CouchRequest request) {
        String destination = request.header("destination");
        if (destination == null || destination.isEmpty()) {
            throw CouchException.badRequest("Destination header is mandatory for COPY.");
        }
        if (destination.contains("://")) {
            throw CouchException.badRequest("Destination URL must be relative to the database.");
        }
        int mark = destination.indexOf("?rev=");
        String target = decoded(mark < 0 ? destination : destination.substring(0, mark));
        CouchDocument source = database.documents().read(id);
        Leaf leaf = leaf(source, new QueryParameters(request.query()));
        try (CountedAttachments attachments = new CountedAttachments(room)) {
            RawObject body = database.rendering()
                    .render(source, leaf, WITH_ATTACHMENTS, attachments)
                    .orElseThrow(() -> CouchException.missing("missing"));
            body.members().remove("_id");
            body.members().remove("_rev");
            Edit edit = Edit.read(body, target, mark < 0 ? null : destination.substring(mark + "?rev=".length()));
            return written(edit, request, 201);
        }
    }

    private static String decoded(String id) {
        try {
            return URLDecoder.decode(id.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw CouchException.badRequest("The Destination header is not percent-encoded UTF-8.");
        }
    }

    private static byte[] line(byte[] body) {
        byte[] line = java.util.Arrays.copyOf(body, body.length + 1);
        line[body.length] = '\n';
        return line;
    }

    /** Returns the requested revision, or the winner. */
    private static Leaf leaf(CouchDocument document, QueryParameters query) {
        String rev = query.text("rev");
        if (rev != null) {
            Revision revision = Revision.parse(rev);
            Optional<Leaf> leaf = query.isTrue("latest")
                    ? document.tree().leavesAfter(revision).stream().findFirst()
                    : document.tree().leaf(revision);
            return leaf.orElseThrow(() -> CouchException.missing("missing"));
        }
        Leaf winner = document.winner().orElseThrow(() -> CouchException.missing("missing"));
        if (winner.deleted()) {
            throw CouchException.missing("deleted");
        }
        return winner;
    }

    private CouchResponse openRevs(
            CouchDocument document, QueryParameters query, Rendering.Options options, LongConsumer attached) {
        Map<Revision, byte[]> answers = new LinkedHashMap<>();
        if ("all".equals(query.text("open_revs"))) {
            if (document.winner().isEmpty()) {
                throw CouchException.missing("missing");
            }
            document.tree()
                    .leaves()
                    .forEach(leaf -> answers.put(leaf.revision(), opened(document, leaf, options, attached)));
        } else {
            JsonNode wanted = query.json("open_revs");
            if (wanted == null || !wanted.isArray()) {
                throw CouchException.badRequest("open_revs must be `all` or a list of revisions");
            }
            for (JsonNode one : wanted) {
                Revision revision = Revision.parse(one.asString(""));
                List<Leaf> found = query.isTrue("latest")
                        ? document.tree().leavesAfter(revision)
                        : document.tree().leaf(revision).stream().toList();
                found.forEach(leaf ->
                        answers.computeIfAbsent(leaf.revision(), named -> opened(document, leaf, options, attached)));
                if (found.isEmpty()) {
                    answers.put(revision, missing(revision));
                }
            }
        }
        return CouchResponse.json(200, line(RawObject.array(answers.values())), Map.of());
    }

    private byte[] opened(CouchDocument document, Leaf leaf, Rendering.Options options, LongConsumer attached) {
        return database.rendering()
                .render(document, leaf, options, attached)
                .map(text -> RawObject.empty().put("ok", text.bytes()).bytes())
                .orElseGet(() -> missing(leaf.revision()));
    }

    private static byte[] missing(Revision revision) {
        return RawObject.empty().put("missing", revision.toString()).bytes();
    }

    /** POST to the database: the id is in the document or is generated. */
    CouchResponse post(CouchRequest request) {
        request.requireJson();
        RawObject sent = RawObject.parse(request.body());
        String key = request.header("idempotency-key");
        if (sent.get("_id") == null) {
            sent.put("_id", key == null ? BulkEndpoints.newId() : Hashes.md5(key));
        }
        return written(Edit.read(sent, null, null), request, 201);
    }

    private CouchResponse put(String id, CouchRequest request) {
        String type = request.header("content-type");
        if (type != null && type.startsWith("multipart/")) {
            throw CouchException.contentType(
                    "Multipart bodies are not supported; send attachments inline or one by one");
        }
        QueryParameters query = new QueryParameters(request.query());
        RawObject sent = RawObject.parse(request.body());
        String named = sent.text("_id");
        if (named != null && !named.equals(id)) {
            throw CouchException.badRequest("Document ID must match the URL");
        }
        Edit edit = Edit.read(sent, id, rev(request, query));
        if (query.isFalse("new_edits")) {
            database.documents().graft(edit);
            Leaf.Path path = edit.replicated();
            return done(id, new Revision(path.start(), path.head()), 201, request);
        }
        return written(edit, request, 201);
    }

    private static @Nullable String rev(CouchRequest request, QueryParameters query) {
        String rev = query.text("rev");
        String match = request.header("if-match");
        return rev != null || match == null ? rev : match.replace("\"", "");
    }

    private CouchResponse delete(String id, CouchRequest request) {
        String rev = rev(request, new QueryParameters(request.query()));
        if (rev == null) {
            Optional<Leaf> winner = database.documents().readMetadata(id).winner();
            if (winner.isEmpty() || winner.get().deleted()) {
                throw CouchException.missing(winner.isEmpty() ? "missing" : "deleted");
            }
            throw CouchException.conflict();
        }
        if (database.documents().readMetadata(id).winner().isEmpty()) {
            throw CouchException.missing("missing");
        }
        RawObject tombstone = RawObject.empty().put("_deleted", "true".getBytes(StandardCharsets.US_ASCII));
        return written(Edit.read(tombstone, id, rev), request, 200);
    }

    private CouchResponse written(Edit edit, CouchRequest request, int status) {
        if (edit.id().startsWith("_local/")) {
            throw CouchException.of(400, "illegal_docid", "Local documents are written with PUT.");
        }
        String key = request.header("idempotency-key");
        Revision made = database.documents().edit(edit, key == null ? "" : key);
        return done(edit.id(), made, status, request);
    }

    /** With {@code batch=ok} the document is written as any other; CouchDB's answer to it has no revision. */
    private CouchResponse done(String id, Revision revision, int status, CouchRequest request) {
        boolean batch = "ok".equals(request.query().get("batch"));
        ObjectNode body = JSON.createObjectNode().put("ok", true).put("id", id);
        Map<String, String> headers = new LinkedHashMap<>();
        if (!batch) {
            body.put("rev", revision.toString());
            headers.put("ETag", '"' + revision.toString() + '"');
        }
        if (status == 201) {
            headers.put("Location", CouchResponse.location(database.name(), id));
        }
        return CouchResponse.json(
                batch ? 202 : status, (JSON.writeValueAsString(body) + "\n").getBytes(StandardCharsets.UTF_8), headers);
    }

    static RawObject local(String id, Document found) {
        RawObject text = RawObject.empty().put("_id", id).put("_rev", "0-" + found.revision());
        RawObject.parse(found.body()).members().forEach(text::put);
        return text;
    }

    private CouchResponse local(String id, CouchRequest request) {
        SideStore side = database.side();
        Optional<Document> found = side.local(id);
        switch (request.method()) {
            case "GET", "HEAD" -> {
                Document local = found.orElseThrow(() -> CouchException.missing("missing"));
                return CouchResponse.json(200, line(local(id, local).bytes()), Map.of());
            }
            case "PUT" -> {
                String rev = side.putLocal(id, RawObject.parse(request.body()));
                return CouchResponse.json(
                        201,
                        JSON.createObjectNode().put("ok", true).put("id", id).put("rev", rev));
            }
            case "DELETE" -> {
                if (found.isEmpty()) {
                    throw CouchException.missing("missing");
                }
                String rev = side.removeLocal(id);
                return CouchResponse.json(
                        200,
                        JSON.createObjectNode().put("ok", true).put("id", id).put("rev", rev));
            }
            default -> throw CouchException.methodNotAllowed(ALLOWED);
        }
    }

    private CouchResponse attachment(String id, String name, CouchRequest request) {
        QueryParameters query = new QueryParameters(request.query());
        if (request.reads()) {
            Leaf leaf = leaf(database.documents().readMetadata(id), query);
            Attachment attachment = leaf.attachments().get(name);
            if (attachment == null) {
                throw CouchException.missing("Document is missing attachment");
            }
            String etag = '"' + attachment.digest().substring(4) + '"';
            if (request.knows(etag)) {
                return notModified(etag);
            }
            byte[] bytes = database.side()
                    .attachment(attachment.digest())
                    .orElseThrow(() -> CouchException.missing("Document is missing attachment"));
            Map<String, String> headers = new LinkedHashMap<>();
            headers.put("Content-Type", attachment.contentType());
            headers.put("ETag", etag);
            headers.putAll(NOT_SHOWN);
            return ByteRange.answer(range(request, etag), headers, bytes);
        }
        if (!request.is("PUT") && !request.is("DELETE")) {
            throw CouchException.methodNotAllowed(ALLOWED);
        }
        return changeAttachment(id, name, request, query);
    }

    /** Returns the part that is wanted, or null: with {@code If-Range} only a part of what the client knows. */
    private static @Nullable String range(CouchRequest request, String etag) {
        String known = request.header("if-range");
        return known == null || known.strip().equals(etag) ? request.header("range") : null;
    }

    private CouchResponse changeAttachment(String id, String name, CouchRequest request, QueryParameters query) {
        Attachment.checkName(name);
        CouchDocument document = database.documents().read(id);
        String rev = rev(request, query);
        Optional<Leaf> before = rev == null
                ? document.winner().filter(leaf -> !leaf.deleted())
                : document.tree().leaf(Revision.parse(rev));
        if (rev == null ? before.isPresent() : before.isEmpty()) {
            throw CouchException.conflict();
        }
        RawObject text = before.flatMap(leaf -> database.rendering().render(document, leaf))
                .orElseGet(RawObject::empty);
        ObjectNode attachments = JSON.createObjectNode();
        if (text.tree("_attachments").isObject()) {
            attachments.setAll((ObjectNode) text.tree("_attachments"));
        }
        if (request.is("PUT")) {
            String type = request.header("content-type");
            attachments
                    .putObject(name)
                    .put("content_type", type == null ? "application/octet-stream" : type)
                    .put("data", Base64.getEncoder().encodeToString(request.body()));
        } else if (attachments.remove(name) == null) {
            throw CouchException.missing("Document is missing attachment");
        }
        text.put("_attachments", attachments);
        return written(Edit.read(text, id, rev), request, request.is("PUT") ? 201 : 200);
    }
}
