package io.millrace.testkit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the services can be asked for: the operations of their OpenAPI documents, and the faces that these do not list. */
final class ApiRoutes {

    /** The bucket, database, function, stream and user of requests that name one. */
    static final String OWN = "malformed";

    private static final List<String> COUCH = List.of(
            "GET /couch/" + OWN,
            "PUT /couch/" + OWN,
            "POST /couch/" + OWN,
            "GET /couch/" + OWN + "/d1?rev=1-a&open_revs=all&revs=true&conflicts=true&atts_since=%5B%5D",
            "PUT /couch/" + OWN + "/d1?rev=1-a&new_edits=false&batch=ok",
            "DELETE /couch/" + OWN + "/d1?rev=1-a",
            "COPY /couch/" + OWN + "/d1",
            "PUT /couch/" + OWN + "/d1/a.txt?rev=1-a",
            "GET /couch/" + OWN + "/d1/a.txt",
            "GET /couch/" + OWN
                    + "/_changes?since=0&limit=2&feed=normal&style=all_docs&filter=_doc_ids&descending=false&seq_interval=2&timeout=100&heartbeat=100",
            "POST /couch/" + OWN + "/_changes?filter=_selector",
            "POST /couch/" + OWN + "/_bulk_docs",
            "POST /couch/" + OWN + "/_bulk_get?revs=true",
            "POST /couch/" + OWN + "/_revs_diff",
            "POST /couch/" + OWN + "/_missing_revs",
            "GET /couch/" + OWN
                    + "/_all_docs?limit=2&skip=1&startkey=%22a%22&endkey=%22b%22&include_docs=true&descending=true",
            "POST /couch/" + OWN + "/_all_docs",
            "GET /couch/" + OWN + "/_local_docs",
            "PUT /couch/" + OWN + "/_local/c1",
            "GET /couch/" + OWN + "/_design/x/_view/y",
            "PUT /couch/" + OWN + "/_design/x",
            "PUT /couch/" + OWN + "/_security",
            "GET /couch/" + OWN + "/_revs_limit",
            "POST /couch/_dbs_info",
            "GET /couch/_uuids?count=2",
            "GET /couch/_all_dbs?limit=1",
            "GET /couch/_session",
            "POST /couch/_session");

    private static final List<String> COUCH_BODIES = List.of(
            "{\"_id\":\"d1\",\"_rev\":\"1-a\",\"_attachments\":{\"a.txt\":{\"content_type\":\"text/plain\",\"data\":\"YQ==\",\"stub\":true}},\"n\":1}",
            "{\"docs\":[{\"_id\":\"d1\",\"n\":1,\"_revisions\":{\"start\":1,\"ids\":[\"a\"]}},{\"_id\":\"d2\",\"_deleted\":true}],\"new_edits\":false}",
            "{\"docs\":[{\"id\":\"d1\",\"rev\":\"1-a\",\"atts_since\":[]}]}",
            "{\"d1\":[\"1-a\",\"2-b\"]}",
            "{\"keys\":[\"d1\",\"d2\"],\"limit\":1}",
            "{\"doc_ids\":[\"d1\"],\"selector\":{\"n\":{\"$gt\":1,\"$regex\":\"a*\"}}}",
            "{\"filters\":{\"f\":\"function(doc, req) { return true; }\"},\"views\":{\"y\":{\"map\":\"function(d){}\"}}}",
            "{\"members\":{\"names\":[\"a\"],\"roles\":[]},\"admins\":{}}");

    private static final List<String> STATEMENTS = List.of(
            "SELECT d.n, META(d).id FROM `malformed` AS d WHERE d.n > $1 AND d.name LIKE $name ORDER BY d.n DESC LIMIT 2 OFFSET 1",
            "SELECT COUNT(*) AS c, SUM(d.n) FROM malformed d GROUP BY d.kind HAVING COUNT(*) > 1",
            "INSERT INTO malformed (KEY, VALUE) VALUES (\"q1\", {\"n\": 1.5e3, \"list\": [1, null, MISSING]}) RETURNING *",
            "UPSERT INTO malformed (KEY k, VALUE v) SELECT \"x\" || TO_STRING(i) AS k, {\"i\": i} AS v FROM [1, 2] AS i",
            "UPDATE malformed SET n = n + 1, a.b[0] = 'x' UNSET c FOR e IN list WHEN e > 1 END WHERE n IS NOT MISSING LIMIT 1",
            "DELETE FROM malformed USE KEYS [\"q1\", 5] WHERE ANY v IN list SATISFIES v.x = 1 END RETURNING META().cas",
            "MERGE INTO malformed t USING [{\"id\": \"m1\"}] AS s ON KEY s.id WHEN MATCHED THEN UPDATE SET t.n = 1 WHEN NOT MATCHED THEN INSERT s",
            "CREATE INDEX malformed_i ON malformed(n, DISTINCT ARRAY v.x FOR v IN list END) WHERE n > 0 WITH {\"defer_build\": true}",
            "DROP INDEX malformed.malformed_i",
            "EXPLAIN SELECT RAW x FROM malformed UNNEST list AS x LET y = x + 1 WHERE y BETWEEN 1 AND 2",
            "PREPARE p FROM SELECT $1, @a",
            "EXECUTE p USING [1]",
            "WITH a AS (SELECT 1 AS x), b AS (SELECT x FROM a) SELECT * FROM a JOIN b ON a.x = b.x LEFT NEST malformed m ON KEYS a.x",
            "SELECT CASE WHEN 1 < 2 THEN REGEXP_REPLACE('abc', '(a+)+$', '$1') ELSE DATE_ADD_STR('2020-01-01', 1, 'day') END, ROW_NUMBER() OVER (PARTITION BY x ORDER BY y ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM [{}] AS t",
            "SELECT ARRAY_RANGE(0, 10), REPEAT('a', 3), OBJECT_PAIRS({}), POWER(2, 10), `a b`.c[1:2] FROM system:keyspaces AS `a b` UNION ALL SELECT 1");

    /** Operations that would change what others use if a spoilt request were well-formed by chance. */
    private static final List<String> BODY_ONLY_SPOILT = List.of(
            "/api/v1/session",
            "/controller/changePassword",
            "/api/v1/topology",
            "/api/v1/move",
            "/api/v1/nodes",
            "/settings/rbac",
            "/api/v1/secrets/rewrap",
            "/api/v1/config",
            "/resetNodeStatsCounters",
            "/logLevel");

    private final List<Route> routes = new ArrayList<>();

    /**
     * One operation.
     *
     * @param service the name of the service that has it
     * @param target the path with its parameters filled in, and a query
     * @param bodies bodies that are valid; empty if the operation has none
     * @param careful whether a valid request must not be sent
     */
    record Route(String service, String method, String target, List<Body> bodies, boolean careful) {}

    /** A body with its media type. */
    record Body(String type, String text) {}

    /** Returns the routes in an order that is always the same. */
    List<Route> all() {
        return List.copyOf(routes);
    }

    /** Adds the operations of an OpenAPI document. */
    void add(String service, String document) {
        JsonNode root = JsonMapper.shared().readTree(document);
        root.path("paths")
                .forEachEntry((path, item) -> item.forEachEntry((method, operation) -> {
                    if (operation.has("operationId")) {
                        routes.add(route(service, method.toUpperCase(Locale.ROOT), path, item, operation, root));
                    }
                }));
    }

    private static Route route(
            String service, String method, String template, JsonNode item, JsonNode operation, JsonNode root) {
        String path = template;
        Map<String, String> query = new LinkedHashMap<>();
        List<JsonNode> parameters = Stream.concat(
                        item.path("parameters").valueStream(),
                        operation.path("parameters").valueStream())
                .map(each ->
                        each.has("$ref") ? root.at(each.get("$ref").asString().substring(1)) : each)
                .toList();
        for (JsonNode parameter : parameters) {
            String name = parameter.path("name").asString("");
            String type = parameter.at("/schema/type").asString("string");
            String value =
                    type.equals("integer") || type.equals("number") ? "1" : type.equals("boolean") ? "true" : OWN;
            switch (parameter.path("in").asString("")) {
                case "path" -> path = path.replace("{" + name + "}", value);
                case "query" -> query.put(name, value);
                default -> {} // headers are spoilt for every route
            }
        }
        path = path.replaceAll("\\{[^}]*\\}", OWN);
        StringBuilder target = new StringBuilder(path);
        query.forEach((name, value) -> target.append(target.indexOf("?") < 0 ? '?' : '&')
                .append(name)
                .append('=')
                .append(value));
        boolean careful = BODY_ONLY_SPOILT.stream().anyMatch(template::startsWith);
        return new Route(service, method, target.toString(), bodies(operation), careful);
    }

    private static List<Body> bodies(JsonNode operation) {
        List<Body> bodies = new ArrayList<>();
        operation.at("/requestBody/content").forEachEntry((type, content) -> {
            if (content.has("example")) {
                bodies.add(body(type, content.get("example")));
            }
            content.path("examples").forEach(example -> bodies.add(body(type, example.path("value"))));
            if (bodies.isEmpty()) {
                bodies.add(new Body(type, "{\"name\":\"" + OWN + "\"}"));
            }
        });
        return List.copyOf(bodies);
    }

    private static Body body(String type, JsonNode value) {
        if (type.equals("application/x-www-form-urlencoded")) {
            StringBuilder form = new StringBuilder();
            value.forEachEntry((name, each) -> form.append(form.isEmpty() ? "" : "&")
                    .append(name)
                    .append('=')
                    .append(each.asString("")));
            return new Body(type, form.toString());
        }
        return new Body(type, value.isString() ? value.asString() : value.toString());
    }

    /** Adds what the documents of the services do not list. */
    void addOthers() {
        List<Body> couch = COUCH_BODIES.stream()
                .map(text -> new Body("application/json", text))
                .toList();
        for (String line : COUCH) {
            int space = line.indexOf(' ');
            String method = line.substring(0, space);
            boolean body = method.equals("PUT") || method.equals("POST");
            routes.add(new Route("subdoc-service", method, line.substring(space + 1), body ? couch : List.of(), false));
        }
        List<Body> statements = STATEMENTS.stream()
                .map(text -> new Body(
                        "application/json",
                        JsonMapper.shared()
                                .createObjectNode()
                                .put("statement", text)
                                .put("timeout", "2s")
                                .put("scan_consistency", "request_plus")
                                .put("$name", "a%")
                                .set(
                                        "args",
                                        JsonMapper.shared().createArrayNode().add(1))
                                .toString()))
                .toList();
        for (int i = 0; i < 6; i++) { // queries have the largest language
            routes.add(new Route("subdoc-service", "POST", "/query/service", statements, false));
        }
        for (String method : List.of("GET", "POST", "PUT", "DELETE", "PATCH")) {
            routes.add(new Route(
                    "eventing-service",
                    method,
                    "/fn/" + OWN + "/a/b?c=d",
                    List.of(new Body("application/json", "{\"n\":1}")),
                    false));
        }
    }
}
