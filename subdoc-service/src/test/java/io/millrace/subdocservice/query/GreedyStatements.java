package io.millrace.subdocservice.query;

import io.millrace.n1ql.QueryEngine;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.QueryOptions;
import io.millrace.n1ql.Rows;
import io.millrace.n1ql.keyspace.MemoryKeyspaces;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;

/** A program that runs a statement that collects millions of values in an array, which no file can hold, concurrently with a small one. */
final class GreedyStatements {

    private static final String GREEDY = "SELECT RAW ARRAY_AGG(a || TO_STRING(b)) FROM ARRAY_RANGE(0, 100000) AS b"
            + " UNNEST ARRAY_REPEAT('some text', 100) AS a";
    private static final String MODEST = "SELECT RAW b FROM ARRAY_RANGE(0, 20000) AS b ORDER BY b DESC";

    private GreedyStatements() {}

    public static void main(String[] args) {
        QueryEngine engine = new QueryEngine(new MemoryKeyspaces(), InstantSource.system(), new HeapWatch());
        CompletableFuture<Void> greedy = CompletableFuture.runAsync(() -> System.out.println(outcome(engine)));
        System.out.println("modest one gave " + count(engine, MODEST) + " rows");
        greedy.join();
        System.out.println("then " + count(engine, "SELECT 1") + " row");
    }

    private static String outcome(QueryEngine engine) {
        try {
            return "gave " + count(engine, GREEDY) + " rows";
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
