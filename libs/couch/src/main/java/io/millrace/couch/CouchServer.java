package io.millrace.couch;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Answers requests as a CouchDB server does. A database is the default collection of a bucket. Thread-safe. */
public final class CouchServer implements AutoCloseable {

    private static final String VERSION = "3.5.0";
    private static final JsonMapper JSON = JsonMapper.shared();

    private final DocumentStore store;
    private final FilterFunctions functions;
    private final Waker waker;

    public CouchServer(DocumentStore store, FilterFunctions functions) {
        this.store = store;
        this.functions = functions;
        this.waker = new Waker();
    }

    /** Answers a request; what is wrong with it is an answer too. Blocks. */
    public CouchResponse handle(CouchRequest request) {
        try {
            return route(request);
        } catch (CouchException e) {
            return error(e);
        } catch (DocumentsException e) {
            return error(translated(e));
        }
    }

    private static CouchException translated(DocumentsException failure) {
        String reason = String.valueOf(failure.getMessage());
        return switch (failure.code()) {
            case BUCKET_NOT_FOUND, SCOPE_NOT_FOUND, COLLECTION_NOT_FOUND -> CouchException.noDatabase();
            case BUCKET_EXISTS ->
                CouchException.of(412, "file_exists", "The database could not be created, the file already exists.");
            case INVALID_ID -> CouchException.of(400, "illegal_docid", reason);
            case INVALID_SHARDS -> CouchException.badRequest(reason);
            case INVALID_NAME -> CouchException.of(400, "illegal_database_name", reason);
            case DOCUMENT_TOO_LARGE, XATTRS_TOO_LARGE -> CouchException.tooLarge(reason);
            default ->
                failure.unavailable()
                        ? CouchException.of(503, "unavailable", reason)
                        : CouchException.of(500, "internal_server_error", reason);
        };
    }

    /** Returns the answer that stands for a refusal. */
    public static CouchResponse error(CouchException e) {
        ObjectNode body = JSON.createObjectNode().put("error", e.error()).put("reason", e.reason());
        return json(e.status(), body);
    }

    /** Returns the answer for what should not happen. */
    public static CouchResponse defect() {
        return error(
                CouchException.of(500, "internal_server_error", "This is a defect of the service; its log says more."));
    }

    static CouchResponse json(int status, JsonNode body) {
        return json(status, JSON.writeValueAsString(body));
    }

    static CouchResponse json(int status, String body) {
        return json(status, (body + "\n").getBytes(StandardCharsets.UTF_8), Map.of());
    }

    static CouchResponse json(int status, byte[] body, Map<String, String> more) {
        Map<String, String> headers = new LinkedHashMap<>(Map.of("Content-Type", "application/json"));
        headers.putAll(more);
        return new CouchResponse.Whole(status, headers, body);
    }

    private CouchResponse route(CouchRequest request) {
        List<String> path = request.path();
        if (path.isEmpty()) {
            return welcome();
        }
        String first = path.getFirst();
        if (path.size() == 1) {
            return switch (first) {
                case "_all_dbs" -> allDatabases();
                case "_up" -> json(200, "{\"status\":\"ok\"}");
                case "_session" ->
                    json(200, "{\"ok\":true,\"userCtx\":{\"name\":null,\"roles\":[\"_admin\"]},\"info\":{}}");
                default -> database(request, first);
            };
        }
        CouchDatabase database = CouchDatabase.open(store, first);
        return switch (path.get(1)) {
            case "_changes" -> changes(database, request);
            case "_ensure_full_commit", "_compact", "_view_cleanup" ->
                json(201, "{\"ok\":true,\"instance_start_time\":\"0\"}");
            case "_revs_limit" -> json(200, Integer.toString(CouchLimits.REVS_LIMIT));
            case "_security" ->
                json(
                        200,
                        request.reads()
                                ? "{\"admins\":{\"roles\":[\"_admin\"]},\"members\":{\"roles\":[]}}"
                                : "{\"ok\":true}");
            case "_bulk_docs", "_bulk_get", "_revs_diff", "_missing_revs", "_all_docs" ->
                new BulkEndpoints(store, database).handle(path.get(1), request);
            default -> new DocumentEndpoints(database).handle(path.subList(1, path.size()), request);
        };
    }

    private static CouchResponse welcome() {
        ObjectNode welcome = JSON.createObjectNode().put("couchdb", "Welcome").put("version", VERSION);
        welcome.put("uuid", Hashes.md5("millrace"));
        welcome.putArray("features");
        welcome.putObject("vendor").put("name", "Millrace");
        return json(200, welcome);
    }

    private CouchResponse allDatabases() {
        ArrayNode names = JSON.createArrayNode();
        List<String> all = new ArrayList<>();
        for (BucketInfo bucket : Answers.of(store.catalog().list())) {
            if (!bucket.name().equals(SideStore.BUCKET)) {
                all.add(bucket.name());
            }
        }
        all.stream().sorted().forEach(names::add);
        return json(200, names);
    }

    private CouchResponse database(CouchRequest request, String name) {
        switch (request.method()) {
            case "PUT" -> {
                if (name.startsWith("_")) {
                    throw CouchException.of(
                            400, "illegal_database_name", "Name: '" + name + "'. It must not begin with _.");
                }
                Answers.of(store.catalog()
                        .createBucket(name, shards(request.query().get("q"))));
                return json(201, "{\"ok\":true}");
            }
            case "DELETE" -> {
                CouchDatabase.open(store, name);
                Answers.of(store.catalog().dropBucket(name));
                SideStore.drop(store, name);
                return json(200, "{\"ok\":true}");
            }
            case "GET", "HEAD" -> {
                return describe(CouchDatabase.open(store, name));
            }
            case "POST" -> {
                return new DocumentEndpoints(CouchDatabase.open(store, name)).post(request);
            }
            default -> throw CouchException.methodNotAllowed("DELETE,GET,HEAD,POST,PUT");
        }
    }

    /** CouchDB's q is the number of shards. */
    private static int shards(@Nullable String q) {
        try {
            return q == null ? 1 : Integer.parseInt(q);
        } catch (NumberFormatException e) {
            throw CouchException.badRequest("The `q` parameter should be an integer.");
        }
    }

    private CouchResponse describe(CouchDatabase database) {
        long high = Answers.of(database.changes().high());
        long rows = Answers.of(database.changes().backlog(0));
        long living = Answers.of(store.count(database.keyspace()));
        ObjectNode info = JSON.createObjectNode().put("db_name", database.name());
        info.put("update_seq", Sequence.text(high));
        info.put("purge_seq", 0);
        info.put("doc_count", living);
        info.put("doc_del_count", Math.max(0, rows - living));
        info.put("instance_start_time", "0");
        info.put("disk_format_version", 8);
        info.put("compact_running", false);
        info.putObject("props");
        info.putObject("cluster")
                .put("q", database.shards())
                .put("n", 1)
                .put("w", 1)
                .put("r", 1);
        return json(200, info);
    }

    private CouchResponse changes(CouchDatabase database, CouchRequest request) {
        if (!request.is("GET") && !request.is("POST") && !request.is("HEAD")) {
            throw CouchException.methodNotAllowed("GET,HEAD,POST");
        }
        RawObject body = null;
        if (request.is("POST")) {
            checkContentType(request);
            body = request.body().length == 0 ? RawObject.empty() : RawObject.parse(request.body());
        }
        Query query = new Query(request.query());
        ChangesRequest wanted = ChangesRequest.read(query, body, request.header("last-event-id"));
        Map<String, String> headers = new LinkedHashMap<>();
        switch (wanted.feed()) {
            case NORMAL -> {
                String etag = '"' + Sequence.text(Answers.of(database.changes().high())) + '"';
                headers.put("ETag", etag);
                if (request.reads() && etag.equals(request.header("if-none-match"))) {
                    return new CouchResponse.Whole(304, headers, new byte[0]);
                }
                headers.put("Content-Type", "application/json");
                headers.put("Cache-Control", "must-revalidate");
            }
            case LONGPOLL, CONTINUOUS -> {
                headers.put("Content-Type", "application/json");
                headers.put("Cache-Control", "must-revalidate");
            }
            case EVENTSOURCE -> {
                headers.put("Content-Type", "text/event-stream");
                headers.put("Cache-Control", "no-cache");
            }
        }
        Filter filter = new Filters(database.documents(), database.rendering(), functions, database.name()).of(wanted);
        Changes changes = new Changes(database, wanted, filter, waker);
        if (wanted.feed() == ChangesRequest.Feed.NORMAL) {
            begin(changes);
        }
        return new CouchResponse.Streamed(200, headers, changes);
    }

    private static void begin(Changes changes) {
        try {
            changes.begin();
        } catch (RuntimeException e) {
            changes.close();
            throw e;
        }
    }

    static void checkContentType(CouchRequest request) {
        String type = request.header("content-type");
        if (type != null && !type.startsWith("application/json")) {
            throw CouchException.contentType("Content-Type must be application/json");
        }
    }

    @Override
    public void close() {
        waker.close();
    }
}
