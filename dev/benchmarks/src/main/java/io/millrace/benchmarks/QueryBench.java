package io.millrace.benchmarks;

import io.millrace.benchmarks.suite.Goals;
import io.millrace.benchmarks.suite.Percentiles;
import io.millrace.benchmarks.suite.RedisConnection;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.ReadRoom;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.documents.redis.RedisDocumentStore;
import io.millrace.launcher.redis.RedisServer;
import io.millrace.n1ql.QueryEngine;
import io.millrace.n1ql.QueryOptions;
import io.millrace.n1ql.Rows;
import io.millrace.n1qldocuments.DocumentCache;
import io.millrace.n1qldocuments.DocumentKeyspaces;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs nine queries over the same JSON documents: with this engine on Redis, by scan and by index, and with SQLite and
 * DuckDB, both in memory in this process. Runs are interleaved, so that other work on the machine affects all of them; the
 * number of rows must be the same everywhere.
 */
final class QueryBench {

    /** @param rounds the measured runs of each query, after a third as many of all queries for warm-up */
    record Scale(int rounds) {
        public static final Scale FULL = new Scale(60);
    }

    private static final String BUCKET = "travel";
    private static final String SCAN = "Millrace, scan";
    private static final String INDEX = "Millrace, index";
    private static final String SQLITE = "SQLite";
    private static final String DUCKDB = "DuckDB";
    private static final double GOAL_INDEX = 5;
    private static final double GOAL_SCAN = 1.2;
    private static final JsonMapper JSON = new JsonMapper();

    private static final List<String> INDEXES = List.of(
            "CREATE INDEX by_type_country ON travel(type, country, name)",
            "CREATE INDEX by_source ON travel(type, sourceairport)",
            "CREATE INDEX by_type_city ON travel(type, city)",
            "CREATE INDEX by_faa ON travel(type, faa)",
            "CREATE INDEX by_likes ON travel(DISTINCT ARRAY l FOR l IN public_likes END) WHERE type = 'hotel'");

    private final Scale scale;
    private final PrintStream out;

    QueryBench(Scale scale, PrintStream out) {
        this.scale = scale;
        this.out = out;
    }

    /** One query in three languages. */
    private record Query(String name, int rows, String n1ql, String sqlite, String duckdb) {}

    /** Runs a query and returns the number of rows. */
    private interface Contestant {
        int run(Query query) throws SQLException;
    }

    void run() throws IOException, SQLException, InterruptedException {
        Map<String, String> documents = documents();
        Path directory = Files.createTempDirectory("millrace-bench");
        try (RedisServer server = RedisServer.start(RedisServer.Settings.durableIn(directory));
                RedisConnection redis = RedisConnection.open(server.url());
                Connection sqlite = DriverManager.getConnection("jdbc:sqlite::memory:");
                Connection duckdb = DriverManager.getConnection("jdbc:duckdb:")) {
            RedisDocumentStore store = redis.documentStore();
            QueryEngine engine = engine(store, documents);
            fill(sqlite, "CREATE TABLE t(id TEXT PRIMARY KEY, d TEXT)", documents);
            fill(duckdb, "CREATE TABLE t(id VARCHAR PRIMARY KEY, d JSON)", documents);
            out.printf("%,d documents; minimum and median of %d runs in ms%n", documents.size(), scale.rounds());
            Map<String, Contestant> contestants = new LinkedHashMap<>();
            contestants.put(SCAN, query -> rows(engine, query.n1ql()));
            contestants.put(SQLITE, query -> rows(sqlite, query.sqlite()));
            contestants.put(DUCKDB, query -> rows(duckdb, query.duckdb()));
            Map<Query, Map<String, Long>> scans = compare(contestants);
            firstRow(engine);
            long began = System.nanoTime();
            INDEXES.forEach(statement -> rows(engine, statement));
            out.printf("  %d indexes built in %.0f ms%n", INDEXES.size(), millis(System.nanoTime() - began));
            goals(scans, compare(Map.of(INDEX, query -> rows(engine, query.n1ql()))));
        }
        new QueryLoad(out).run();
    }

    // ---- documents

    private static Map<String, String> documents() throws IOException {
        Path file = Optional.ofNullable(System.getenv("MILLRACE_TRAVEL_SAMPLE"))
                .map(Path::of)
                .orElse(Path.of("..", "shared", "data", "travel-sample-subset.jsonl"));
        if (!Files.exists(file)) {
            throw new IOException("There is no file " + file.toAbsolutePath()
                    + ". Set MILLRACE_TRAVEL_SAMPLE to a file with one {\"id\", \"value\"} per line.");
        }
        Map<String, String> documents = new LinkedHashMap<>();
        for (String line : Files.readAllLines(file)) {
            JsonNode entry = JSON.readTree(line);
            documents.put(entry.path("id").asString(), entry.path("value").toString());
        }
        return documents;
    }

    private static QueryEngine engine(RedisDocumentStore store, Map<String, String> documents) {
        store.catalog().createBucket(BUCKET, 1).join();
        List<CompletableFuture<WriteResult>> writes = new ArrayList<>();
        documents.forEach((id, body) -> writes.add(store.write(
                Write.upsert(new DocumentKey(Keyspace.of(BUCKET), id), body.getBytes(StandardCharsets.UTF_8)))));
        writes.forEach(CompletableFuture::join);
        QueryEngine engine = new QueryEngine(keyspaces(store), InstantSource.system());
        rows(engine, "CREATE PRIMARY INDEX ON travel");
        return engine;
    }

    /** Keyspaces as the query service has them. */
    static DocumentKeyspaces keyspaces(RedisDocumentStore store) {
        return new DocumentKeyspaces(
                store, name -> true, () -> null, ReadRoom.UNLIMITED, DocumentCache.ofHeap(InstantSource.system()));
    }

    private static void fill(Connection connection, String table, Map<String, String> documents) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(table);
        }
        connection.setAutoCommit(false);
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO t VALUES (?, ?)")) {
            for (Map.Entry<String, String> document : documents.entrySet()) {
                insert.setString(1, document.getKey());
                insert.setString(2, document.getValue());
                insert.addBatch();
            }
            insert.executeBatch();
        }
        connection.commit();
    }

    // ---- runs

    private static int rows(QueryEngine engine, String statement) {
        int count = 0;
        try (Rows rows = engine.execute(statement, QueryOptions.DEFAULT)) {
            for (var row = rows.next(); row != null; row = rows.next()) {
                row.toJsonBytes();
                count++;
            }
        }
        return count;
    }

    private static int rows(Connection connection, String sql) throws SQLException {
        int count = 0;
        try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet rows = statement.executeQuery()) {
            int columns = rows.getMetaData().getColumnCount();
            while (rows.next()) {
                for (int i = 1; i <= columns; i++) {
                    rows.getString(i);
                }
                count++;
            }
        }
        return count;
    }

    /** Returns the least time of each query and contestant. */
    private Map<Query, Map<String, Long>> compare(Map<String, Contestant> contestants) throws SQLException {
        for (int round = 0; round < scale.rounds() / 3; round++) {
            for (Query query : QUERIES) {
                times(query, contestants);
            }
        }
        Map<Query, Map<String, Long>> least = new LinkedHashMap<>();
        for (Query query : QUERIES) {
            Map<String, List<Long>> times = new LinkedHashMap<>();
            for (int round = 0; round < scale.rounds(); round++) {
                times(query, contestants)
                        .forEach((name, took) -> times.computeIfAbsent(name, none -> new ArrayList<>())
                                .add(took));
            }
            out.printf("  %s (%d rows):", query.name(), query.rows());
            times.forEach((name, all) -> out.printf(
                    "  %s %s",
                    name, figure(all.stream().mapToLong(Long::longValue).toArray())));
            out.println();
            least.put(
                    query,
                    times.entrySet().stream()
                            .collect(Collectors.toMap(Map.Entry::getKey, all -> Collections.min(all.getValue()))));
        }
        return least;
    }

    /** Lets each contestant run a query once. */
    private static Map<String, Long> times(Query query, Map<String, Contestant> contestants) throws SQLException {
        Map<String, Long> times = new LinkedHashMap<>();
        for (Map.Entry<String, Contestant> contestant : contestants.entrySet()) {
            long began = System.nanoTime();
            int rows = contestant.getValue().run(query);
            times.put(contestant.getKey(), System.nanoTime() - began);
            if (rows != query.rows()) {
                throw new IllegalStateException("%s gives %d rows for %s and not %d"
                        .formatted(contestant.getKey(), rows, query.name(), query.rows()));
            }
        }
        return times;
    }

    /** Prints the ratios of the worst of the queries that have a goal. */
    private void goals(Map<Query, Map<String, Long>> scans, Map<Query, Map<String, Long>> byIndex) {
        double index = Double.MAX_VALUE;
        double scan = 0;
        for (Query query : QUERIES.subList(1, 5)) {
            double peer = Math.min(least(scans, query, SQLITE), least(scans, query, DUCKDB));
            index = Math.min(index, peer / least(byIndex, query, INDEX));
            scan = Math.max(scan, least(scans, query, SCAN) / peer);
        }
        new Goals(out)
                .atLeast("B2 to B5, faster peer / by index", index, GOAL_INDEX)
                .atMost("B2 to B5, by scan / faster peer", scan, GOAL_SCAN);
    }

    private static long least(Map<Query, Map<String, Long>> times, Query query, String name) {
        return Objects.requireNonNull(Objects.requireNonNull(times.get(query)).get(name));
    }

    private static String figure(long[] nanos) {
        Percentiles percentiles = new Percentiles(nanos);
        return "%.2f (%.2f)".formatted(millis(percentiles.at(0)), millis(percentiles.at(50)));
    }

    private static double millis(long nanos) {
        return nanos / 1e6;
    }

    private void firstRow(QueryEngine engine) {
        long[] times = new long[scale.rounds()];
        for (int i = 0; i < times.length; i++) {
            long began = System.nanoTime();
            try (Rows rows = engine.execute("SELECT * FROM travel", QueryOptions.DEFAULT)) {
                rows.next();
                times[i] = System.nanoTime() - began;
            }
        }
        out.printf("  first row of SELECT * FROM travel: %s%n", figure(times));
    }

    // ---- queries

    private static final List<Query> QUERIES = List.of(
            new Query(
                    "B1 by key",
                    1,
                    "SELECT t.* FROM travel t USE KEYS 'airline_1'",
                    "SELECT d FROM t WHERE id = 'airline_1'",
                    "SELECT d FROM t WHERE id = 'airline_1'"),
            new Query(
                    "B2 airlines per country",
                    3,
                    "SELECT t.country, COUNT(*) AS n FROM travel t WHERE t.type = 'airline' GROUP BY t.country",
                    "SELECT json_extract(d, '$.country') c, COUNT(*) FROM t WHERE json_extract(d, '$.type') = 'airline'"
                            + " GROUP BY c",
                    "SELECT json_extract_string(d, '$.country') c, COUNT(*) FROM t WHERE json_extract_string(d, '$.type') = 'airline' GROUP BY c"),
            new Query(
                    "B3 hotels of a country by name",
                    10,
                    "SELECT t.name, t.city FROM travel t WHERE t.type = 'hotel' AND t.country = 'United Kingdom'"
                            + " ORDER BY t.name LIMIT 10 OFFSET 20",
                    "SELECT json_extract(d, '$.name') n, json_extract(d, '$.city') FROM t"
                            + " WHERE json_extract(d, '$.type') = 'hotel'"
                            + " AND json_extract(d, '$.country') = 'United Kingdom' ORDER BY n LIMIT 10 OFFSET 20",
                    "SELECT json_extract_string(d, '$.name') n, json_extract_string(d, '$.city') FROM t WHERE json_extract_string(d, '$.type') = 'hotel'"
                            + " AND json_extract_string(d, '$.country') = 'United Kingdom' ORDER BY n LIMIT 10 OFFSET 20"),
            new Query(
                    "B4 flights from LHR with airlines",
                    100,
                    "SELECT a.name, s.flight, s.utc, r.destinationairport FROM travel r UNNEST r.schedule s"
                            + " JOIN travel a ON KEYS r.airlineid WHERE r.type = 'route' AND r.sourceairport = 'LHR'"
                            + " AND s.day = 1 ORDER BY s.utc, s.flight LIMIT 100",
                    "SELECT json_extract(a.d, '$.name'), json_extract(s.value, '$.flight') f,"
                            + " json_extract(s.value, '$.utc') u, json_extract(r.d, '$.destinationairport')"
                            + " FROM t r, json_each(r.d, '$.schedule') s JOIN t a ON a.id = json_extract(r.d, '$.airlineid')"
                            + " WHERE json_extract(r.d, '$.type') = 'route'"
                            + " AND json_extract(r.d, '$.sourceairport') = 'LHR'"
                            + " AND json_extract(s.value, '$.day') = 1 ORDER BY u, f LIMIT 100",
                    "SELECT json_extract_string(a.d, '$.name'), json_extract_string(s, '$.flight') f, json_extract_string(s, '$.utc') u, r.dest FROM (SELECT json_extract_string(d, '$.airlineid') airline,"
                            + " json_extract_string(d, '$.destinationairport') dest, unnest(json_extract(d, '$.schedule[*]')) s FROM t"
                            + " WHERE json_extract_string(d, '$.type') = 'route' AND json_extract_string(d, '$.sourceairport') = 'LHR') r"
                            + " JOIN t a ON a.id = r.airline WHERE CAST(json_extract_string(s, '$.day') AS INT) = 1 ORDER BY u, f LIMIT 100"),
            new Query(
                    "B5 mean rating per city",
                    43,
                    "SELECT h.city, AVG(v.ratings.Overall) AS mean, COUNT(*) AS n FROM travel h UNNEST h.reviews v"
                            + " WHERE h.type = 'hotel' GROUP BY h.city HAVING COUNT(*) > 10",
                    "SELECT json_extract(h.d, '$.city') c, AVG(json_extract(v.value, '$.ratings.Overall')), COUNT(*)"
                            + " FROM t h, json_each(h.d, '$.reviews') v WHERE json_extract(h.d, '$.type') = 'hotel'"
                            + " GROUP BY c HAVING COUNT(*) > 10",
                    "SELECT c, AVG(CAST(json_extract_string(v, '$.ratings.Overall') AS DOUBLE)), COUNT(*) FROM (SELECT json_extract_string(d, '$.city') c,"
                            + " unnest(json_extract(d, '$.reviews[*]')) v FROM t WHERE json_extract_string(d, '$.type') = 'hotel')"
                            + " GROUP BY c HAVING COUNT(*) > 10"),
            new Query(
                    "B6 routes from LHR with airports",
                    33,
                    "SELECT r.airline, a.airportname FROM travel r JOIN travel a"
                            + " ON a.type = 'airport' AND a.faa = r.destinationairport"
                            + " WHERE r.type = 'route' AND r.sourceairport = 'LHR'",
                    "WITH r AS MATERIALIZED (SELECT json_extract(d, '$.airline') airline,"
                            + " json_extract(d, '$.destinationairport') dest FROM t"
                            + " WHERE json_extract(d, '$.type') = 'route' AND json_extract(d, '$.sourceairport') = 'LHR'),"
                            + " a AS MATERIALIZED (SELECT json_extract(d, '$.airportname') name, json_extract(d, '$.faa') faa"
                            + " FROM t WHERE json_extract(d, '$.type') = 'airport')"
                            + " SELECT r.airline, a.name FROM r JOIN a ON a.faa = r.dest",
                    "SELECT json_extract_string(r.d, '$.airline'), json_extract_string(a.d, '$.airportname') FROM t r JOIN t a"
                            + " ON json_extract_string(a.d, '$.type') = 'airport'"
                            + " AND json_extract_string(a.d, '$.faa') = json_extract_string(r.d, '$.destinationairport')"
                            + " WHERE json_extract_string(r.d, '$.type') = 'route'"
                            + " AND json_extract_string(r.d, '$.sourceairport') = 'LHR'"),
            new Query(
                    "B7 hotels of a city or a country",
                    167,
                    "SELECT h.name FROM travel h WHERE h.type = 'hotel' AND h.city = 'London'"
                            + " OR h.type = 'hotel' AND h.country = 'France'",
                    "SELECT json_extract(d, '$.name') FROM t WHERE json_extract(d, '$.type') = 'hotel'"
                            + " AND (json_extract(d, '$.city') = 'London' OR json_extract(d, '$.country') = 'France')",
                    "SELECT json_extract_string(d, '$.name') FROM t WHERE json_extract_string(d, '$.type') = 'hotel'"
                            + " AND (json_extract_string(d, '$.city') = 'London'"
                            + " OR json_extract_string(d, '$.country') = 'France')"),
            new Query(
                    "B8 hotels that a user likes",
                    2,
                    "SELECT h.name FROM travel h UNNEST h.public_likes l"
                            + " WHERE h.type = 'hotel' AND l = 'Virgil Reynolds'",
                    "SELECT json_extract(h.d, '$.name') FROM t h, json_each(h.d, '$.public_likes') l"
                            + " WHERE json_extract(h.d, '$.type') = 'hotel' AND l.value = 'Virgil Reynolds'",
                    "SELECT n FROM (SELECT json_extract_string(d, '$.name') n,"
                            + " unnest(json_extract_string(d, '$.public_likes[*]')) l FROM t"
                            + " WHERE json_extract_string(d, '$.type') = 'hotel') WHERE l = 'Virgil Reynolds'"),
            new Query(
                    "B9 count of a range of airports",
                    1,
                    "SELECT COUNT(*) AS n FROM travel r WHERE r.type = 'route' AND r.sourceairport BETWEEN 'D' AND 'M'",
                    "SELECT COUNT(*) FROM t WHERE json_extract(d, '$.type') = 'route'"
                            + " AND json_extract(d, '$.sourceairport') BETWEEN 'D' AND 'M'",
                    "SELECT COUNT(*) FROM t WHERE json_extract_string(d, '$.type') = 'route'"
                            + " AND json_extract_string(d, '$.sourceairport') BETWEEN 'D' AND 'M'"));
}
