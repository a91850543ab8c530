package io.millrace.n1qldocuments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Origin;
import io.millrace.documents.StoreKit;
import io.millrace.documents.SystemHandle;
import io.millrace.documents.Write;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryEngine;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.QueryOptions;
import io.millrace.n1ql.Rows;
import io.millrace.n1ql.value.Value;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Statements over documents, the whole way. */
class DocumentKeyspacesTest {

    private final StoreKit.Clock clock = new StoreKit.Clock();
    private final DocumentStore store = new MemoryDocumentStore(clock);
    private final Origin origin = new Origin("f", 1);
    private final QueryEngine engine =
            new QueryEngine(new DocumentKeyspaces(store, name -> !name.startsWith("_"), () -> origin), clock);

    @BeforeEach
    void createBuckets() {
        StoreKit.await(store.catalog().createBucket("t", 1));
        StoreKit.await(store.with(SystemHandle.METAKV).catalog().createBucket("_metakv", 1));
        rows("CREATE PRIMARY INDEX ON t");
    }

    private List<String> rows(String statement) {
        List<String> rows = new ArrayList<>();
        try (Rows cursor = engine.execute(statement, QueryOptions.DEFAULT)) {
            for (Value row = cursor.next(); row != null; row = cursor.next()) {
                rows.add(row.toJson());
            }
        }
        return rows;
    }

    private Document document(String id) {
        return StoreKit.await(store.get(new DocumentKey(Keyspace.of("t"), id))).orElseThrow();
    }

    @Test
    void change_carriesTheOriginAndKeepsNumbersAsWritten() {
        StoreKit.await(store.write(Write.upsert(
                new DocumentKey(Keyspace.of("t"), "a"), StoreKit.bytes("{\"n\":1.10,\"m\":{\"x\":1e2}}"))));

        rows("UPDATE t SET added = true");

        assertThat(StoreKit.text(document("a").body())).isEqualTo("{\"n\":1.10,\"m\":{\"x\":1e2},\"added\":true}");
        assertThat(document("a").origin()).isEqualTo(origin);
    }

    @Test
    void expiration_isSetRelativeAndAbsolute() {
        rows("INSERT INTO t VALUES ('a', 1, {\"expiration\": 60}), ('b', 2, {\"expiration\": 4000000000})");

        assertThat(document("a").expiry())
                .isEqualTo(Instant.ofEpochSecond(clock.instant().getEpochSecond() + 60));
        assertThat(document("b").expiry()).isEqualTo(Instant.ofEpochSecond(4_000_000_000L));
    }

    @Test
    void hiddenBucket_isNotFound() {
        assertThatThrownBy(() -> rows("SELECT * FROM `_metakv` USE KEYS 'a'"))
                .isInstanceOfSatisfying(
                        QueryException.class, e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.KEYSPACE_NOT_FOUND));
        assertThat(rows("SELECT RAW path FROM system:keyspaces")).containsExactly("\"default:t\"");
    }

    @Test
    void index_isNeededListedAndRefusedTwice() {
        assertThat(rows("SELECT RAW name FROM system:indexes")).containsExactly("\"#primary\"");
        assertThatThrownBy(() -> rows("CREATE PRIMARY INDEX ON t"))
                .isInstanceOfSatisfying(
                        QueryException.class, e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.INDEX_EXISTS));

        rows("DROP PRIMARY INDEX ON t");

        assertThatThrownBy(() -> rows("SELECT * FROM t"))
                .isInstanceOfSatisfying(
                        QueryException.class, e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.NO_INDEX));
    }

    @Test
    void keyThatNoDocumentCanHave_isRefusedAndOthersStay() {
        String tooLong = "k".repeat(300);

        assertThatThrownBy(() -> rows("INSERT INTO t VALUES ('a', 1), ('" + tooLong + "', 2), ('b', 3)"))
                .isInstanceOfSatisfying(
                        QueryException.class, e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.DML));
        assertThat(rows("SELECT RAW META().id FROM t")).containsExactly("\"a\"", "\"b\"");
        assertThat(rows("SELECT RAW 1 FROM t USE KEYS '" + tooLong + "'")).isEmpty();
    }
}
