package io.millrace.n1qldocuments;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Expiry;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Limits;
import io.millrace.documents.StoreKit;
import io.millrace.documents.Write;
import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryEngine;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.QueryOptions;
import io.millrace.n1ql.Rows;
import io.millrace.n1ql.keyspace.KeyspaceStore;
import io.millrace.n1ql.value.Value;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Transactions of statements over every {@link DocumentStore}. */
abstract class TransactionContract {

    private static final Instant LATER = Instant.ofEpochSecond(4_000_000_000L);

    private final String bucket = StoreKit.uniqueBucket();
    private DocumentStore store;
    private QueryEngine engine;

    /** Returns a store; called once per test. */
    abstract DocumentStore open();

    @BeforeEach
    void start() {
        store = open();
        await(store.catalog().createBucket(bucket, 1));
        engine = new QueryEngine(new DocumentKeyspaces(store, name -> true, () -> null), InstantSource.system());
        rows("CREATE PRIMARY INDEX ON t");
    }

    private List<String> rows(String statements) {
        List<String> rows = new ArrayList<>();
        try (Rows cursor = engine.execute(statements.replaceAll("\\bt\\b", "`" + bucket + "`"), QueryOptions.DEFAULT)) {
            for (Value row = cursor.next(); row != null; row = cursor.next()) {
                rows.add(row.toJson());
            }
        }
        return rows;
    }

    @Test
    void changes_areWrittenTogether() {
        DocumentKey kept = new DocumentKey(Keyspace.of(bucket), "kept");
        await(store.write(
                Write.insert(kept, bytes("{}")).withExpiry(Expiry.at(LATER)).withXattrs(bytes("{\"u\":1}"), null)));

        assertThat(
                        rows(
                                "BEGIN; INSERT INTO t VALUES ('a', {'n': 1}), ('b', {'n': 2}); UPDATE t SET n = 3 WHERE META().id > 'a';"
                                        + " DELETE FROM t USE KEYS 'a'; SELECT RAW META(d).id FROM t d ORDER BY META(d).id; COMMIT"))
                .containsExactly("[]", "[]", "[]", "[\"b\",\"kept\"]");

        assertThat(rows("SELECT META(d).id, d.n FROM t d ORDER BY META(d).id"))
                .containsExactly("{\"id\":\"b\",\"n\":3}", "{\"id\":\"kept\",\"n\":3}");
        assertThat(await(store.get(kept))).hasValueSatisfying(document -> {
            assertThat(document.userXattrs()).isNotNull();
            assertThat(document.expiry()).isNull();
        });
    }

    /** Each transfer reads both accounts and changes them; none is lost, none is done by half. */
    @Test
    void transfersAtTheSameTime_keepTheSum() throws Exception {
        rows("INSERT INTO t VALUES ('x', {'n': 100}), ('y', {'n': 100})");
        int threads = 4;
        int each = 10;
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Future<Integer>> made = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int thread = i;
                made.add(pool.submit(() -> transfers(thread, each)));
            }
            int done = 0;
            for (Future<Integer> transfers : made) {
                done += transfers.get();
            }

            assertThat(done).isPositive();
            assertThat(rows("SELECT RAW [SUM(n), MAX(n) - 100, COUNT(*) - 2] FROM t"))
                    .containsExactly("[200," + done + "," + done + "]");
        }
    }

    private int transfers(int thread, int count) {
        int done = 0;
        for (int i = 0; i < count; i++) {
            try {
                rows("BEGIN; UPDATE t USE KEYS 'x' SET n = n - 1; UPDATE t USE KEYS 'y' SET n = n + 1;"
                        + " INSERT INTO t VALUES ('log%d-%d', {}); COMMIT".formatted(thread, i));
                done++;
            } catch (QueryException e) {
                assertThat(e.errorCode()).isEqualTo(ErrorCode.TRANSACTION_CONFLICT);
            }
        }
        return done;
    }

    @Test
    void documentsOfDifferentShardsOrBuckets_areRefusedInWords() {
        String sharded = StoreKit.uniqueBucket();
        await(store.catalog().createBucket(sharded, 8));

        assertThatThrownBy(() -> rows("BEGIN; INSERT INTO `" + sharded
                        + "` (KEY 'k' || TO_STR(i), VALUE {}) SELECT i FROM" + " ARRAY_RANGE(0, 50) AS i; COMMIT"))
                .hasMessageContaining("are in different shards of the bucket " + sharded);
        assertThatThrownBy(() -> rows(
                        "BEGIN; UPSERT INTO t VALUES ('a', 1); UPSERT INTO `" + sharded + "` VALUES ('a', 1); COMMIT"))
                .hasMessageContaining("are in different buckets");

        assertThat(await(store.count(Keyspace.of(sharded)))).isZero();
        assertThat(rows("SELECT RAW COUNT(*) FROM t")).containsExactly("0");
        rows("BEGIN; UPSERT INTO `" + sharded + "` VALUES ('a', 1); COMMIT");
        assertThat(await(store.count(Keyspace.of(sharded)))).isEqualTo(1);
    }

    @Test
    void lockedDocument_isNotWritten() {
        DocumentKey key = new DocumentKey(Keyspace.of(bucket), "a");
        rows("INSERT INTO t VALUES ('a', {'n': 1}), ('b', {'n': 1})");
        await(store.lock(key, Instant.now().plusSeconds(30)));

        assertThatThrownBy(() -> rows("BEGIN; UPDATE t SET n = 2; COMMIT"))
                .hasMessageContaining("document a is locked");

        assertThat(rows("SELECT RAW SUM(n) FROM t")).containsExactly("2");
    }

    @Test
    void limits_areThoseOfTheStore() {
        assertThat(KeyspaceStore.MAX_ATOMIC_CHANGES).isEqualTo(Limits.MAX_ATOMIC_WRITES);
        assertThat(KeyspaceStore.MAX_ATOMIC_BYTES).isEqualTo(Limits.MAX_ATOMIC_BYTES);
    }
}
