package io.millrace.n1qldocuments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Keyspace;
import io.millrace.documents.ReadRoom;
import io.millrace.documents.StoreKit;
import io.millrace.documents.Write;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.n1ql.QueryEngine;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.QueryOptions;
import io.millrace.n1ql.Rows;
import io.millrace.n1ql.value.Value;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements count the documents that they have read, and read no more of them than there is memory for. */
class StatementRoomTest {

    private static final int BYTES = 1 << 20;
    private static final int DOCUMENTS = 12;

    private final StoreKit.Clock clock = new StoreKit.Clock();
    private final DocumentStore documents = new MemoryDocumentStore(clock);
    private final Room room = new Room();
    private final QueryEngine engine =
            new QueryEngine(new DocumentKeyspaces(store(), name -> true, () -> null, room), clock);

    /** Memory for a few of the documents; nothing waits for it. */
    private static final class Room implements ReadRoom {

        long limit = 5L * BYTES;
        long held;
        long most;

        @Override
        public boolean has(long bytes) {
            return held + bytes <= limit;
        }

        @Override
        public CompletableFuture<Boolean> reserve(long bytes) {
            return CompletableFuture.completedFuture(false);
        }

        @Override
        public void hold(long bytes) {
            held += bytes;
            most = Math.max(most, held);
        }

        @Override
        public void give(long bytes) {
            held -= bytes;
        }
    }

    /** Refuses to read a document for which there is no room. */
    private DocumentStore store() {
        return (DocumentStore) Proxy.newProxyInstance(
                DocumentStore.class.getClassLoader(), new Class<?>[] {DocumentStore.class}, (proxy, method, args) -> {
                    if (method.getName().equals("get") && !room.has(BYTES)) {
                        return CompletableFuture.failedFuture(
                                DocumentsException.of(DocumentsException.Code.OVERLOADED, "No room"));
                    }
                    try {
                        return method.invoke(documents, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @BeforeEach
    void write() {
        StoreKit.await(documents.catalog().createBucket("t", 1));
        String text = "x".repeat(BYTES);
        for (int i = 0; i < DOCUMENTS; i++) {
            put("k%02d".formatted(i), "{\"n\":%d,\"text\":\"%s\"}".formatted(i, text));
        }
        rows("CREATE PRIMARY INDEX ON t");
        rows("CREATE INDEX byN ON t(n)");
    }

    private void put(String id, String body) {
        StoreKit.await(documents.write(Write.upsert(new DocumentKey(Keyspace.of("t"), id), StoreKit.bytes(body))));
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT RAW COUNT(t.text) FROM t",
                "SELECT RAW COUNT(t.text) FROM t WHERE n >= 0",
                "SELECT RAW COUNT(t.text) FROM t USE KEYS ARRAY 'k' || LPAD(TO_STRING(i), 2, '0') FOR i IN ARRAY_RANGE(0, 12) END",
                "SELECT RAW COUNT(t.text) FROM ARRAY_RANGE(0, 12) i JOIN t ON KEYS 'k' || LPAD(TO_STRING(i), 2, '0')",
            })
    void statementOverMoreThanThereIsMemoryFor_readsItInPartsThatFit(String statement) {
        assertThat(rows(statement)).containsExactly("12");

        assertThat(room.most).isBetween((long) BYTES, room.limit + BYTES);
        assertThat(room.held).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT RAW n FROM t LIMIT 1",
                "SELECT RAW 1 FROM t ORDER BY n LIMIT 1",
                "SELECT RAW EXISTS (SELECT 1 FROM t AS u WHERE u.text > '')",
                "SELECT RAW (SELECT RAW u.n FROM t AS u USE KEYS 'k01')[0]",
                "SELECT RAW FIRST v.n FOR v IN (SELECT u.n, u.text FROM t AS u USE KEYS ['k01', 'k02']) END",
                "UPDATE t USE KEYS 'k03' SET m = 1",
                "INFER t WITH {\"sample_size\": 3}",
                "DELETE FROM t WHERE n = 7",
            })
    void whatAStatementHasRead_countsNoLongerAtItsEnd(String statement) {
        rows(statement);

        assertThat(room.most).isPositive();
        assertThat(room.held).isZero();
    }

    @Test
    void statementThatIsLeftOrCancelled_givesItsMemoryBack() {
        try (Rows left = engine.execute("SELECT text FROM t", QueryOptions.DEFAULT)) {
            assertThat(left.next()).isNotNull();
            assertThat(room.held).isGreaterThanOrEqualTo(BYTES);
        }
        assertThat(room.held).isZero();

        Rows cancelled = engine.execute("SELECT text FROM t", QueryOptions.DEFAULT);
        assertThat(cancelled.next()).isNotNull();
        cancelled.cancel();
        assertThatThrownBy(cancelled::next).hasMessage("Request cancelled");
        assertThat(room.held).isZero();
    }

    @Test
    void documentThatDoesNotFit_endsTheStatementForNow() {
        room.limit = 0;

        assertThatThrownBy(() -> rows("SELECT RAW COUNT(t.text) FROM t"))
                .isInstanceOfSatisfying(
                        QueryException.class,
                        e -> assertThat(e.errorCode().httpStatus()).isEqualTo(503));
        assertThat(room.held).isZero();
    }
}
