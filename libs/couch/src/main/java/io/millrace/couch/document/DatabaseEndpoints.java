package io.millrace.couch.document;

import io.millrace.couch.CouchException;
import io.millrace.couch.CouchLimits;
import io.millrace.couch.CouchRequest;
import io.millrace.couch.CouchResponse;
import io.millrace.documents.BucketInfo;
import io.millrace.documents.DocumentStore;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Endpoints of databases and of everything in them except {@code _changes}. */
public final class DatabaseEndpoints {

    private static final JsonMapper JSON = JsonMapper.shared();

    private final DocumentStore store;

    public DatabaseEndpoints(DocumentStore store) {
        this.store = store;
    }

    /** Answers with the names of all databases, sorted. */
    public CouchResponse all() {
        ArrayNode names = JSON.createArrayNode();
        List<String> all = new ArrayList<>();
        for (BucketInfo bucket : StoreCalls.of(store.catalog().list())) {
            if (!bucket.name().equals(SideStore.BUCKET)) {
                all.add(bucket.name());
            }
        }
        all.stream().sorted().forEach(names::add);
        return CouchResponse.json(200, names);
    }

    /** Answers a request below a database. {@code path} begins with the database's name and has more segments. */
    public CouchResponse handle(String name, List<String> path, CouchRequest request) {
        CouchDatabase database = CouchDatabase.open(store, name);
        return switch (path.get(1)) {
            case "_ensure_full_commit", "_compact", "_view_cleanup" ->
                CouchResponse.json(201, "{\"ok\":true,\"instance_start_time\":\"0\"}");
            case "_revs_limit" -> CouchResponse.json(200, Integer.toString(CouchLimits.REVS_LIMIT));
            case "_security" ->
                CouchResponse.json(
                        200,
                        request.reads()
                                ? "{\"admins\":{\"roles\":[\"_admin\"]},\"members\":{\"roles\":[]}}"
                                : "{\"ok\":true}");
            case "_all_docs" -> new ListingEndpoints(store, database).allDocs(request);
            case "_design_docs" -> new ListingEndpoints(store, database).designDocs(request);
            case "_local_docs" -> new ListingEndpoints(store, database).localDocs(request);
            case "_bulk_docs", "_bulk_get", "_revs_diff", "_missing_revs" ->
                new BulkEndpoints(database).handle(path.get(1), request);
            default -> new DocumentEndpoints(database).handle(path.subList(1, path.size()), request);
        };
    }

    /** Answers a request for the database itself. */
    public CouchResponse handle(String name, CouchRequest request) {
        switch (request.method()) {
            case "PUT" -> {
                if (name.startsWith("_")) {
                    throw CouchException.of(
                            400, "illegal_database_name", "Name: '" + name + "'. It must not begin with _.");
                }
                StoreCalls.of(store.catalog()
                        .createBucket(name, shards(request.query().get("q"))));
                return CouchResponse.json(201, "{\"ok\":true}");
            }
            case "DELETE" -> {
                CouchDatabase.open(store, name);
                StoreCalls.of(store.catalog().dropBucket(name));
                SideStore.drop(store, name);
                return CouchResponse.json(200, "{\"ok\":true}");
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

    /** Parses CouchDB's {@code q}, the number of shards. */
    private static int shards(@Nullable String q) {
        try {
            return q == null ? 1 : Integer.parseInt(q);
        } catch (NumberFormatException e) {
            throw CouchException.badRequest("The `q` parameter should be an integer.");
        }
    }

    private CouchResponse describe(CouchDatabase database) {
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
        return CouchResponse.json(200, info);
    }
}
