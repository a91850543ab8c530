package io.millrace.documents.redis;

import static io.millrace.documents.StoreKit.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.OwnRedis;
import io.millrace.testkit.RedisPair;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which Redis proves that a restart lost nothing. */
class RestartProofIT {

    @Test
    void appendOnlyFile_onThisMachine_isAProof() {
        for (String sync : new String[] {"always", "everysec"}) {
            try (OwnRedis redis = OwnRedis.startDurable(Map.of("appendfsync", sync))) {
                assertThat(proof(redis.url())).as(sync).isTrue();
            }
        }
    }

    @Test
    void redisWithoutAppendOnlyFile_isNone() {
        try (OwnRedis redis = OwnRedis.startVolatile()) {
            assertThat(proof(redis.url())).isFalse();
        }
        try (OwnRedis redis = OwnRedis.startDurable(Map.of("appendfsync", "no"))) {
            assertThat(proof(redis.url())).isFalse();
        }
    }

    @Test
    void promotedReplica_isNone() {
        try (RedisPair redis = RedisPair.start()) {
            redis.awaitInStep();
            redis.failOver();
            assertThat(proof(redis.url())).isFalse();
        }
    }

    private static boolean proof(String url) {
        try (RedisKit kit = new RedisKit(url);
                RedisDocumentStore store = kit.store(InstantSource.system())) {
            return await(store.restartsLoseNothing());
        }
    }
}
