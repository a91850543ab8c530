package io.millrace.couch;

import io.millrace.couch.document.CouchDatabase;
import io.millrace.couch.document.DatabaseEndpoints;
import io.millrace.couch.document.QueryParameters;
import io.millrace.couch.document.StoreCalls;
import io.millrace.couch.feed.ChangesEndpoint;
import io.millrace.couch.rights.CouchRights;
import io.millrace.couch.rights.UserContext;
import io.millrace.couch.rights.Validations;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.ReadRoom;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Answers requests as a CouchDB server does. A database is the default collection of a bucket. Thread-safe. */
public final class CouchServer implements AutoCloseable {

    private static final String VERSION = "3.5.0";
    private static final JsonMapper JSON = JsonMapper.shared();

    /** The store is away, or takes no writes: the same request may succeed later. */
    private static final Set<Integer> TEMPORARY = Set.of(503, 507);

    private final DatabaseEndpoints databases;
    private final ChangesEndpoint changes;
    private final CouchRights rights;
    private final Validations validations;

    public CouchServer(DocumentStore store, FilterFunctions functions) {
        this(store, functions, ReadRoom.UNLIMITED);
    }

    /** @param room counts the large documents of responses until the client has taken them */
    public CouchServer(DocumentStore store, FilterFunctions functions, ReadRoom room) {
        this.databases = new DatabaseEndpoints(store, room);
        this.changes = new ChangesEndpoint(store, functions, room);
        this.rights = new CouchRights(store);
        this.validations = new Validations(store, functions);
    }

    /** Answers a request; an invalid request gets an error response. Blocks. */
    public CouchResponse handle(CouchRequest request) {
        try {
            return route(overridden(request));
        } catch (CouchException e) {
            return error(e);
        } catch (DocumentsException e) {
            return error(e);
        }
    }

    /** Returns the response for an error. */
    public static CouchResponse error(CouchException e) {
        ObjectNode body = JSON.createObjectNode().put("error", e.error()).put("reason", e.reason());
        Map<String, String> more = TEMPORARY.contains(e.status()) ? Map.of("Retry-After", "1") : Map.of();
        return CouchResponse.json(
                e.status(), (JSON.writeValueAsString(body) + "\n").getBytes(StandardCharsets.UTF_8), more);
    }

    /** Returns the response for a failure of the store. */
    public static CouchResponse error(DocumentsException e) {
        return error(StoreCalls.translated(e));
    }

    /** Returns the response for an unexpected failure. */
    public static CouchResponse defect() {
        return error(
                CouchException.of(500, "internal_server_error", "Unexpected failure; see the log of the service."));
    }

    /** A client that can only send POST names the method that it means in a header. */
    private static CouchRequest overridden(CouchRequest request) {
        String meant = request.header("x-http-method-override");
        return meant == null || !request.is("POST")
                ? request
                : new CouchRequest(
                        meant.toUpperCase(Locale.ROOT),
                        request.path(),
                        request.query(),
                        request.headers(),
                        request.body(),
                        request.subject());
    }

    private CouchResponse route(CouchRequest request) {
        CouchDatabase.WriteRule rule = rights.check(request).and(validations.of(request));
        List<String> path = request.path();
        if (path.isEmpty()) {
            return welcome();
        }
        String first = path.getFirst();
        if (path.size() == 1) {
            return switch (first) {
                case "_all_dbs" -> databases.all(request);
                case "_dbs_info" -> databases.infos(request);
                case "_uuids" -> uuids(request);
                case "_up" -> CouchResponse.json(200, "{\"status\":\"ok\"}");
                case "_session" -> session(request);
                default -> databases.handle(first, request, rule);
            };
        }
        return path.size() == 2 && path.get(1).equals("_changes")
                ? changes.handle(first, request)
                : databases.handle(first, path, request, rule);
    }

    /** Says who asks; without a login the name is null. */
    private static CouchResponse session(CouchRequest request) {
        if (!request.reads()) {
            throw CouchException.methodNotAllowed("GET");
        }
        ObjectNode answer = JSON.createObjectNode().put("ok", true);
        answer.set("userCtx", UserContext.of(request.subject()));
        answer.putObject("info");
        return CouchResponse.json(200, answer);
    }

    private static CouchResponse uuids(CouchRequest request) {
        if (!request.reads()) {
            throw CouchException.methodNotAllowed("GET");
        }
        Long asked = new QueryParameters(request.query()).count("count");
        long count = asked == null ? 1 : asked;
        if (count > CouchLimits.MAX_UUIDS) {
            throw CouchException.badRequest("count must not exceed %d.".formatted(CouchLimits.MAX_UUIDS));
        }
        ObjectNode answer = JSON.createObjectNode();
        ArrayNode uuids = answer.putArray("uuids");
        for (long i = 0; i < count; i++) {
            uuids.add(UUID.randomUUID().toString().replace("-", ""));
        }
        return new CouchResponse.Whole(
                200,
                Map.of(
                        "Content-Type",
                        "application/json",
                        "Cache-Control",
                        "no-cache, must-revalidate",
                        "Pragma",
                        "no-cache"),
                (JSON.writeValueAsString(answer) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private CouchResponse welcome() {
        ObjectNode welcome = JSON.createObjectNode().put("couchdb", "Welcome").put("version", VERSION);
        welcome.put("uuid", databases.serverId());
        welcome.putArray("features");
        welcome.putObject("vendor").put("name", "Millrace");
        return CouchResponse.json(200, welcome);
    }

    @Override
    public void close() {
        changes.close();
    }
}
