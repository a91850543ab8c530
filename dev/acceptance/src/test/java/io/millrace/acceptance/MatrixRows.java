package io.millrace.acceptance;

import io.millrace.acceptance.ServiceDoors.Route;
import io.millrace.launcher.suite.Service;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The requests of the access matrix: one or two for each route that a service declares, and for each CouchDB endpoint. */
final class MatrixRows {

    static final String BUCKET = "matrix";
    static final String OTHER_BUCKET = "matrix_other";

    /**
     * A request.
     *
     * @param service the service that is asked: the gateway, or one that clients ask without it
     */
    record Row(Service service, String method, String path) {

        boolean hasBody() {
            return !method.equals("GET") && !method.equals("HEAD") && !method.equals("DELETE");
        }

        /** Whether the response is a feed, of changes of the cluster map, of a live query or of a topic, which does not end. */
        boolean endless() {
            return path.contains("/bs/") || path.endsWith("/live") || path.contains("/topics/");
        }

        /** What deletes comes last, and of that, what is inside comes before what is around it. */
        int phase() {
            return method.equals("DELETE") ? 1000 - path.length() : 0;
        }

        @Override
        public String toString() {
            return service.moduleName() + " " + method + " " + path;
        }
    }

    private static final Map<String, String> VARIABLES = Map.of(
            "{scope}", "shop",
            "{collection}", "carts",
            "{domain}", "local",
            "{version}", "1",
            "{*path}", "matrix/absent",
            "**", "absent");

    private static final Pattern VARIABLE = Pattern.compile("\\{[a-zA-Z]+}");

    private static final List<String> COUCH_OF_SERVER = List.of(
            "GET /couch",
            "GET /couch/_up",
            "GET /couch/_session",
            "GET /couch/_uuids",
            "GET /couch/_all_dbs",
            "GET /couch/_dbs_info");

    /** For a database, as method and path below it. */
    private static final List<String> COUCH = List.of(
            "PUT ",
            "GET ",
            "HEAD ",
            "POST ",
            "GET /_security",
            "PUT /_security",
            "GET /_revs_limit",
            "PUT /_revs_limit",
            "POST /_compact",
            "POST /_view_cleanup",
            "POST /_ensure_full_commit",
            "GET /_changes",
            "POST /_changes",
            "GET /_all_docs",
            "POST /_all_docs",
            "GET /_design_docs",
            "GET /_local_docs",
            "POST /_bulk_get",
            "POST /_revs_diff",
            "POST /_missing_revs",
            "POST /_bulk_docs",
            "GET /absent",
            "HEAD /absent",
            "PUT /absent",
            "DELETE /absent",
            "COPY /absent",
            "GET /absent/file",
            "PUT /absent/file",
            "DELETE /absent/file",
            "GET /_local/absent",
            "PUT /_local/absent",
            "DELETE /_local/absent",
            "GET /_design/absent",
            "PUT /_design/absent",
            "DELETE ");

    private MatrixRows() {}

    /** Returns all rows, those first that change the least. */
    static List<Row> all() {
        Set<Row> rows = new LinkedHashSet<>();
        for (Service service : Service.values()) {
            List<String> roots = forwarded(service);
            for (Route route : ServiceDoors.of(service.moduleName())) {
                boolean passed = roots.stream().anyMatch(root -> isBelow(root, route.pattern()));
                boolean direct = service == Service.GATEWAY || service == Service.SUBDOC || isOfMetrics(route);
                if (direct || passed) {
                    add(rows, passed ? Service.GATEWAY : service, route);
                }
            }
        }
        COUCH_OF_SERVER.forEach(request -> rows.add(couch(request, "")));
        for (String bucket : List.of(BUCKET, OTHER_BUCKET)) {
            COUCH.forEach(request -> rows.add(couch(request, "/couch/" + bucket)));
        }
        return rows.stream().sorted(Comparator.comparingInt(Row::phase)).toList();
    }

    /** The only thing that users ask every service itself. */
    static boolean isOfMetrics(Route route) {
        return route.pattern().equals("/actuator/prometheus");
    }

    private static void add(Set<Row> rows, Service service, Route route) {
        if (route.method().equals("ANY")
                && (service == Service.GATEWAY || route.pattern().startsWith("/couch"))) {
            return; // the routes of the service behind it, and the endpoints of the CouchDB API, have rows of their own
        }
        String method = route.method().equals("ANY") ? "POST" : route.method();
        List<String> paths = new ArrayList<>();
        if (route.need().contains("place=FUNCTION")) {
            paths.add(route.pattern());
            paths.add(route.pattern() + "?bucket=" + BUCKET + "&scope=_default");
        } else if (route.pattern().contains("{topic}")) {
            paths.add(route.pattern());
            paths.add(route.pattern().replace("{topic}", "other"));
        } else {
            paths.add(route.pattern().replace("{bucket}", BUCKET));
            paths.add(route.pattern().replace("{bucket}", OTHER_BUCKET));
        }
        paths.forEach(path -> rows.add(new Row(service, method, filled(path))));
    }

    private static Row couch(String request, String database) {
        int blank = request.indexOf(' ');
        return new Row(Service.GATEWAY, request.substring(0, blank), database + request.substring(blank + 1));
    }

    static String filled(String pattern) {
        String path = pattern;
        for (Map.Entry<String, String> variable : VARIABLES.entrySet()) {
            path = path.replace(variable.getKey(), variable.getValue());
        }
        return VARIABLE.matcher(path).replaceAll("absent");
    }

    private static List<String> forwarded(Service service) {
        Stream<String> lists = switch (service) {
            case EVENTING -> Stream.of("EVENTING", "SHARED", "REQUESTS");
            case SUBDOC -> Stream.of("SUBDOC");
            case METAKV -> Stream.of("METAKV");
            case GATEWAY -> Stream.of();
        };
        return lists.flatMap(list -> ServiceDoors.forwarded(list).stream()).toList();
    }

    private static boolean isBelow(String root, String path) {
        return path.equals(root) || path.startsWith(root + "/");
    }
}
