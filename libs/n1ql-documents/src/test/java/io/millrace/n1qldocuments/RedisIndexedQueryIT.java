package io.millrace.n1qldocuments;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.ReadRoom;
import io.millrace.documents.StoreKit;
import io.millrace.documents.redis.RedisKit;
import io.millrace.n1ql.QueryEngine;
import io.millrace.n1ql.QueryOptions;
import io.millrace.n1ql.Rows;
import io.millrace.n1ql.keyspace.IndexedQueryContract;
import io.millrace.n1ql.keyspace.KeyspaceStore;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class RedisIndexedQueryIT extends IndexedQueryContract {

    private static final int SHARDS = 2;

    private final String bucket = StoreKit.uniqueBucket();
    private KeyspaceStore opened;

    @Override
    protected KeyspaceStore open() {
        DocumentStore store = RedisKit.shared().store(InstantSource.system());
        StoreKit.await(store.catalog().createBucket(bucket, SHARDS));
        opened = new DocumentKeyspaces(
                store, name -> true, () -> null, ReadRoom.UNLIMITED, DocumentCache.ofHeap(InstantSource.system()));
        return opened;
    }

    @Override
    protected String bucket() {
        return bucket;
    }

    private static long functionCalls() {
        return RedisKit.shared().calls("fcall") + RedisKit.shared().calls("fcall_ro");
    }

    /** Nothing is asked for behind the only match. */
    @Test
    void lookUp_asksEachShardForTheRangeOnce() {
        QueryEngine engine = new QueryEngine(opened, InstantSource.system());
        for (String statement : List.of(
                "CREATE INDEX i ON `%s`(n)",
                "CREATE INDEX both ON `%s`(a, b)",
                "UPSERT INTO `%s` VALUES ('k', {'n': 1, 'a': 1, 'b': 2, 'm': 3}), ('l', {'n': 2, 'm': 4})")) {
            engine.execute(statement.formatted(bucket), QueryOptions.DEFAULT).close();
        }
        int lookUps = 20;

        for (String condition : List.of("n = 1", "a = 1 AND b = 2")) {
            String query = "SELECT RAW m FROM `%s` WHERE %s".formatted(bucket, condition);
            long before = 0;
            for (int i = 0; i <= lookUps; i++) {
                try (Rows rows = engine.execute(query, QueryOptions.DEFAULT)) {
                    assertThat(rows.next()).hasToString("3");
                    assertThat(rows.ready()).isTrue();
                    assertThat(rows.next()).isNull();
                }
                before = i == 0 ? functionCalls() : before; // the first one brings the index up to date
            }
            assertThat(functionCalls() - before)
                    .as(condition)
                    .isBetween((long) lookUps * SHARDS, lookUps * SHARDS + 10L);
        }
    }

    /** Documents that have not changed are not asked for, and their entries come in one page of each shard. */
    @Test
    void manyDocuments_areReadAgainWithFewCommands() {
        QueryEngine engine = new QueryEngine(opened, InstantSource.system());
        for (String statement : List.of(
                "CREATE INDEX a ON `%s`(a)",
                "CREATE INDEX c ON `%s`(c)", // two candidates, so that entries are counted
                "INSERT INTO `%s` (KEY 'k' || TO_STRING(i), VALUE {'a': 1, 'c': 1, 'm': i}) SELECT i FROM ARRAY_RANGE(0, 600) AS i")) {
            engine.execute(statement.formatted(bucket), QueryOptions.DEFAULT).close();
        }
        // Two executions bring an index up to date each, the third knows the counts and keeps all documents.
        for (int i = 0; i < 3; i++) {
            assertThat(sum(engine)).isEqualTo("179700");
        }

        long documents = RedisKit.shared().calls("hmget");
        long functions = functionCalls();
        long pages = RedisKit.shared().calls("zrangebylex");
        assertThat(sum(engine)).isEqualTo("179700");

        assertThat(RedisKit.shared().calls("hmget") - documents).isLessThan(5L * SHARDS);
        assertThat(RedisKit.shared().calls("zrangebylex") - pages).isEqualTo(SHARDS);
        assertThat(functionCalls() - functions).isBetween(3L * SHARDS, 3L * SHARDS + 4);

        engine.execute("UPDATE `%s` USE KEYS 'k500' SET m = 1000".formatted(bucket), QueryOptions.DEFAULT)
                .close();
        assertThat(sum(engine)).isEqualTo("180200");
    }

    private String sum(QueryEngine engine) {
        String query = "SELECT RAW SUM(m) FROM `%s` WHERE a = 1 AND c = 1".formatted(bucket);
        try (Rows rows = engine.execute(query, QueryOptions.DEFAULT)) {
            return String.valueOf(rows.next());
        }
    }
}
