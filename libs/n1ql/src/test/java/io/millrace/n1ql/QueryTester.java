package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.millrace.n1ql.keyspace.IndexDefinition;
import io.millrace.n1ql.keyspace.MemoryKeyspaces;
import io.millrace.n1ql.keyspace.MemoryKeyspaces.MemoryKeyspace;
import io.millrace.n1ql.value.Value;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** An engine over keyspaces in memory, for tests. */
final class QueryTester {

    static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    private final MemoryKeyspaces keyspaces = new MemoryKeyspaces();
    private final QueryEngine engine = new QueryEngine(keyspaces, InstantSource.fixed(NOW));

    QueryEngine engine() {
        return engine;
    }

    /** Makes a keyspace with a primary index and documents: key, body, key, body. */
    MemoryKeyspace keyspace(String name, String... documents) {
        MemoryKeyspace keyspace = keyspaces.create(name);
        keyspace.createIndex(IndexDefinition.primary(IndexDefinition.PRIMARY_NAME));
        for (int i = 0; i < documents.length; i += 2) {
            keyspace.put(documents[i], documents[i + 1]);
        }
        return keyspace;
    }

    MemoryKeyspaces keyspaces() {
        return keyspaces;
    }

    List<String> rows(String statement) {
        return rows(statement, QueryOptions.DEFAULT);
    }

    List<String> rows(String statement, QueryOptions options) {
        return rows(engine, statement, options);
    }

    static List<String> rows(QueryEngine by, String statement, QueryOptions options) {
        List<String> rows = new ArrayList<>();
        try (Rows cursor = by.execute(statement, options)) {
            for (Value row = cursor.next(); row != null; row = cursor.next()) {
                rows.add(row.toJson());
            }
        }
        return rows;
    }

    /** Runs a statement to its end and returns its warnings. */
    List<String> warnings(String statement) {
        try (Rows cursor = engine.execute(statement, QueryOptions.DEFAULT)) {
            while (cursor.next() != null) {
                cursor.count();
            }
            return cursor.warnings().stream().map(QueryException::getMessage).toList();
        }
    }

    QueryException failure(String statement) {
        return failure(statement, QueryOptions.DEFAULT);
    }

    QueryException failure(String statement, QueryOptions options) {
        QueryException failure = catchThrowableOfType(QueryException.class, () -> rows(statement, options));
        assertThat(failure).as(statement).isNotNull();
        return failure;
    }

    /** Returns the body of a document, or "none". */
    String body(String keyspace, String key) {
        return String.join(
                ",",
                rows("SELECT RAW d FROM `" + keyspace + "` d USE KEYS "
                                        + Value.of(key).toJson())
                                .isEmpty()
                        ? List.of("none")
                        : rows("SELECT RAW d FROM `" + keyspace + "` d USE KEYS "
                                + Value.of(key).toJson()));
    }
}
