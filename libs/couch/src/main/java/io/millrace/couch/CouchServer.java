package io.millrace.couch;

import io.millrace.couch.document.DatabaseEndpoints;
import io.millrace.couch.feed.ChangesEndpoint;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Answers requests as a CouchDB server does. A database is the default collection of a bucket. Thread-safe. */
public final class CouchServer implements AutoCloseable {

    private static final String VERSION = "3.5.0";
    /** Names this server to clients; the same for all nodes. */
    private static final String SERVER_ID = "78bce37dc29d160a3e6737d97c6f0275";

    private static final JsonMapper JSON = JsonMapper.shared();

    private final DatabaseEndpoints databases;
    private final ChangesEndpoint changes;

    public CouchServer(DocumentStore store, FilterFunctions functions) {
        this.databases = new DatabaseEndpoints(store);
        this.changes = new ChangesEndpoint(store, functions);
    }

    /** Answers a request; an invalid request gets an error response. Blocks. */
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

    /** Returns the response for an error. */
    public static CouchResponse error(CouchException e) {
        ObjectNode body = JSON.createObjectNode().put("error", e.error()).put("reason", e.reason());
        return CouchResponse.json(e.status(), body);
    }

    /** Returns the response for an unexpected failure. */
    public static CouchResponse defect() {
        return error(
                CouchException.of(500, "internal_server_error", "Unexpected failure; see the log of the service."));
    }

    private CouchResponse route(CouchRequest request) {
        List<String> path = request.path();
        if (path.isEmpty()) {
            return welcome();
        }
        String first = path.getFirst();
        if (path.size() == 1) {
            return switch (first) {
                case "_all_dbs" -> databases.all();
                case "_up" -> CouchResponse.json(200, "{\"status\":\"ok\"}");
                case "_session" ->
                    CouchResponse.json(
                            200, "{\"ok\":true,\"userCtx\":{\"name\":null,\"roles\":[\"_admin\"]},\"info\":{}}");
                default -> databases.handle(first, request);
            };
        }
        return path.get(1).equals("_changes") ? changes.handle(first, request) : databases.handle(first, path, request);
    }

    private static CouchResponse welcome() {
        ObjectNode welcome = JSON.createObjectNode().put("couchdb", "Welcome").put("version", VERSION);
        welcome.put("uuid", SERVER_ID);
        welcome.putArray("features");
        welcome.putObject("vendor").put("name", "Millrace");
        return CouchResponse.json(200, welcome);
    }

    @Override
    public void close() {
        changes.close();
    }
}
