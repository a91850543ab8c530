package io.millrace.worker.bindings;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.testkit.RedisCluster;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RedisStoreIT {

    private static final int SHARDS = 8;

    @Test
    void store_onACluster_findsEveryMaster() {
        try (RedisCluster redis = RedisCluster.start(3);
                RedisStore store = new RedisStore(redis.url())) {
            store.documents().catalog().createBucket("spread", SHARDS).join();
            StoreQueue queue = store.queue();
            List<CompletableFuture<WriteResult>> writes = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                DocumentKey key = new DocumentKey(Keyspace.of("spread"), "d" + i);
                writes.add(queue.write(Write.upsert(key, "{}".getBytes(StandardCharsets.UTF_8))));
            }

            assertThat(writes).allSatisfy(write -> assertThat(write.join()).isInstanceOf(WriteResult.Written.class));
            assertThat(store.documents().count(Keyspace.of("spread")).join()).isEqualTo(100);
        }
    }
}
