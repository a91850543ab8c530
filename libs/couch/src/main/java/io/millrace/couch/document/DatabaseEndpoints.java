package io.millrace.couch.document;

import io.millrace.access.Access;
import io.millrace.access.Permission;
import io.millrace.access.Resource;
import io.millrace.access.Subject;
import io.millrace.couch.CouchException;
import io.millrace.couch.CouchLimits;
import io.millrace.couch.CouchRequest;
import io.millrace.couch.CouchResponse;
import io.millrace.documents.BucketInfo;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.IdRange;
import io.millrace.documents.ReadRoom;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Endpoints of databases and of everything in them except {@code _changes}. */
public final class DatabaseEndpoints {

    private static final JsonMapper JSON = JsonMapper.shared();

    private final DocumentStore store;
    private final ReadRoom room;
    private volatile @Nullable String serverId;

    public DatabaseEndpoints(DocumentStore store, ReadRoom room) {
        this.store = store;
        this.room = room;
    }

    /** Returns the name of this installation to clients; the same for all nodes and after each start. */
    public String serverId() {
        String known = serverId;
        if (known == null) {
            known = SideStore.serverId(store);
            serverId = known;
        }
        return known;
    }

    /** Answers with the names of databases, sorted. */
    public CouchResponse all(CouchRequest request) {
        ArrayNode names = JSON.createArrayNode();
        listed(request).forEach(names::add);
        return CouchResponse.json(200, names);
    }

    private List<String> listed(CouchRequest request) {
        QueryParameters query = new QueryParameters(request.query());
        AllDocsRange range = AllDocsRange.of(query, IdRange.ALL);
        Comparator<String> order = IdRange::compare;
        return StoreCalls.of(store.catalog().list()).stream()
                .map(BucketInfo::name)
                .filter(name -> isSeen(request.subject(), name))
                .filter(range.ids()::contains)
                .sorted(range.descending() ? order.reversed() : order)
                .skip(range.skip())
                .limit(range.limit())
                .toList();
    }

    /** Answers with the descriptions of the databases that a body names, or of all. */
    public CouchResponse infos(CouchRequest request) {
        ArrayNode infos = JSON.createArrayNode();
        if (request.is("POST")) {
            request.requireJson();
            JsonNode keys = RawObject.parse(request.body()).tree("keys");
            if (!keys.isArray()) {
                throw CouchException.badRequest("`keys` member must exist and be an array of database names.");
            }
            if (keys.size() > CouchLimits.MAX_INFO_DATABASES) {
                throw CouchException.badRequest(
                        "`keys` must not have more than %d names.".formatted(CouchLimits.MAX_INFO_DATABASES));
            }
            keys.forEach(key -> infos.add(info(request.subject(), key.asString(""))));
        } else if (request.reads()) {
            listed(request).forEach(name -> infos.add(info(request.subject(), name)));
        } else {
            throw CouchException.methodNotAllowed("GET,HEAD,POST");
        }
        return CouchResponse.json(200, infos);
    }

    private static boolean isSeen(Subject subject, String name) {
        return Access.allowed(subject, Permission.BUCKET_ACCESS, Resource.bucket(name));
    }

    private ObjectNode info(Subject subject, String name) {
        ObjectNode entry = JSON.createObjectNode().put("key", name);
        if (!isSeen(subject, name)) {
            return entry.put("error", "forbidden");
        }
        try {
            entry.set("info", described(CouchDatabase.open(store, name)));
        } catch (CouchException e) {
            entry.put("error", e.error());
        }
        return entry;
    }

    /** Answers a request below a database. {@code path} begins with the database's name and has more segments. */
    public CouchResponse handle(String name, List<String> path, CouchRequest request, CouchDatabase.WriteRule rule) {
        CouchDatabase database = CouchDatabase.open(store, name, rule);
        String endpoint = path.size() == 2 ? path.get(1) : ""; // nothing is below one
        return switch (endpoint) {
            case "_ensure_full_commit" -> CouchResponse.json(201, "{\"ok\":true,\"instance_start_time\":\"0\"}");
            // there is nothing to do: neither files nor views
            case "_compact", "_view_cleanup" -> CouchResponse.json(202, "{\"ok\":true}");
            case "_revs_limit" -> revsLimit(request);
            case "_security" -> security(database, request);
            case "_all_docs" -> new ListingEndpoints(store, database, room).allDocs(request);
            case "_design_docs" -> new ListingEndpoints(store, database, room).designDocs(request);
            case "_local_docs" -> new ListingEndpoints(store, database, room).localDocs(request);
            case "_bulk_docs", "_bulk_get", "_revs_diff", "_missing_revs" ->
                new BulkEndpoints(database, room).handle(endpoint, request);
            default -> new DocumentEndpoints(database, room).handle(path.subList(1, path.size()), request);
        };
    }

    private static CouchResponse security(CouchDatabase database, CouchRequest request) {
        if (request.reads()) {
            byte[] stored = database.security().orElse(null);
            return stored == null
                    ? CouchResponse.json(200, "{\"admins\":{\"roles\":[\"_admin\"]},\"members\":{\"roles\":[]}}")
                    : CouchResponse.json(200, stored, Map.of());
        }
        if (!request.is("PUT")) {
            throw CouchException.methodNotAllowed("GET,HEAD,PUT");
        }
        RawObject sent = RawObject.parse(request.body());
        for (String group : List.of("admins", "members")) {
            JsonNode given = sent.tree(group);
            if (!given.isMissingNode() && !given.isObject()) {
                throw CouchException.badRequest(group + " must be a JSON object");
            }
            for (String kind : List.of("names", "roles")) {
                checkTexts(group + "." + kind, given.path(kind));
            }
        }
        database.putSecurity(sent.bytes());
        return CouchResponse.json(200, "{\"ok\":true}");
    }

    private static void checkTexts(String what, JsonNode list) {
        boolean texts = list.isMissingNode()
                || (list.isArray() && list.values().stream().allMatch(JsonNode::isString));
        if (!texts) {
            throw CouchException.badRequest(what + " must be a JSON list of strings");
        }
    }

    private static CouchResponse revsLimit(CouchRequest request) {
        if (!request.reads()) {
            throw CouchException.notImplemented(
                    "Each branch of a document keeps %d revisions; the limit of a database cannot be changed."
                            .formatted(CouchLimits.REVS_LIMIT));
        }
        return CouchResponse.json(200, Integer.toString(CouchLimits.REVS_LIMIT));
    }

    /** Answers a request for the database itself. */
    public CouchResponse handle(String name, CouchRequest request, CouchDatabase.WriteRule rule) {
        switch (request.method()) {
            case "PUT" -> {
                if (name.startsWith("_")) {
                    throw CouchException.of(
                            400, "illegal_database_name", "Name: '" + name + "'. It must not begin with _.");
                }
                if ("true".equals(request.query().get("partitioned"))) {
                    throw CouchException.notImplemented(
                            "Partitioned databases are not supported; create the database without `partitioned`.");
                }
                StoreCalls.of(store.catalog()
                        .createBucket(name, shards(request.query().get("q"))));
                return CouchResponse.json(
                        201,
                        "{\"ok\":true}\n".getBytes(StandardCharsets.UTF_8),
                        Map.of("Location", CouchResponse.location(name)));
            }
            case "DELETE" -> {
                if (request.query().containsKey("rev")) {
                    throw CouchException.badRequest("You tried to DELETE a database with a ?rev= parameter."
                            + " Did you mean to DELETE a document instead?");
                }
                CouchDatabase.open(store, name);
                StoreCalls.of(store.catalog().dropBucket(name));
                SideStore.drop(store, name);
                return CouchResponse.json(200, "{\"ok\":true}");
            }
            case "GET", "HEAD" -> {
                return CouchResponse.json(200, described(CouchDatabase.open(store, name)));
            }
            case "POST" -> {
                return new DocumentEndpoints(CouchDatabase.open(store, name, rule), room).post(request);
            }
            default -> throw CouchException.methodNotAllowed("DELETE,GET,HEAD,POST,PUT");
        }
    }

    /** Parses CouchDB's {@code q}, the number of shards. */
    private static int shards(@Nullable String q) {
        try {
            return q == null ? 1 : Integer.parseInt(q);
        } catch (NumberFormatException e) {
            throw CouchException.badRequest("The `q` parameter should be an integer.");
        }
    }

    private ObjectNode described(CouchDatabase database) {
        long high = StoreCalls.of(database.changes().high());
        long rows = StoreCalls.of(database.changes().backlog(0));
        long living = StoreCalls.of(store.count(database.keyspace()));
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
        return info;
    }
}
