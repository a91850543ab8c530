package io.millrace.subdocservice.query;

import io.millrace.n1ql.QueryEngine;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.QueryOptions;
import io.millrace.n1ql.Rows;
import io.millrace.n1ql.keyspace.MemoryKeyspaces;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A program that runs statements that hold millions of values, which no file can hold, each concurrently with a small one. */
final class GreedyStatements {

    private static final String ROWS = "ARRAY_RANGE(0, 100000) AS b UNNEST ARRAY_REPEAT('some text', 100) AS a";
    private static final List<String> GREEDY = List.of(
            "SELECT RAW ARRAY_AGG(a || TO_STRING(b)) FROM " + ROWS,
            "SELECT a || TO_STRING(b) AS t, ROW_NUMBER() OVER (ORDER BY b) AS n FROM " + ROWS,
            "WITH c AS (SELECT RAW a || TO_STRING(b) FROM " + ROWS + ") SELECT RAW COUNT(*) FROM c");
    private static final String MODEST = "SELECT RAW b FROM ARRAY_RANGE(0, 20000) AS b ORDER BY b DESC";

    private GreedyStatements() {}

    public static void main(String[] args) {
        QueryEngine engine = new QueryEngine(new MemoryKeyspaces(), InstantSource.system(), new HeapWatch());
        for (String statement : GREEDY) {
            CompletableFuture<Void> greedy =
                    CompletableFuture.runAsync(() -> System.out.println(outcome(engine, statement)));
            System.out.println("modest one gave " + count(engine, MODEST) + " rows");
            greedy.join();
            System.out.println("then " + count(engine, "SELECT 1") + " row");
        }
    }

    private static String outcome(QueryEngine engine, String statement) {
        try {
            return "gave " + count(engine, statement) + " rows";
        } catch (QueryException e) {
            return "ended with " + e.code();
        }
    }

    private static int count(QueryEngine engine, String statement) {
        int count = 0;
        try (Rows rows = engine.execute(statement, QueryOptions.DEFAULT)) {
            while (rows.next() != null) {
                count++;
            }
        }
        return count;
    }
}
