package io.millrace.worker.bindings;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.launcher.tls.CertificateAuthority;
import io.millrace.redis.RedisTls;
import io.millrace.testkit.OwnRedis;
import io.millrace.testkit.RedisCluster;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisStoreIT {

    private static final int SHARDS = 8;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void store_onACluster_findsEveryMaster() {
        try (RedisCluster redis = RedisCluster.start(3);
                RedisStore store = new RedisStore(redis.url(), RedisTls.DEFAULT, "test")) {
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

    @Test
    void store_overTls_provesItselfByItsCertificate(@TempDir Path files) {
        CertificateAuthority authority = CertificateAuthority.create(files);
        CertificateAuthority.Pair worker = authority.forUser("worker");
        RedisTls tls = new RedisTls(
                authority.certificate().toString(),
                worker.certificate().toString(),
                worker.key().toString());
        RedisTls withoutCertificate = new RedisTls(authority.certificate().toString(), "", "");
        RedisTls withoutAuthority =
                new RedisTls("", worker.certificate().toString(), worker.key().toString());

        try (OwnRedis redis = OwnRedis.startWithTls(authority)) {
            try (RedisStore store = new RedisStore(redis.tlsUrl(), tls, "test")) {
                store.documents().catalog().createBucket("safe", 1).join();
                assertThat(store.documents().count(Keyspace.of("safe")).join()).isZero();
            }
            for (RedisTls unknown : List.of(withoutCertificate, withoutAuthority, RedisTls.DEFAULT)) {
                try (RedisStore store = new RedisStore(redis.tlsUrl(), unknown, "test")) {
                    assertThat(store.documents().count(Keyspace.of("safe")))
                            .as(unknown.toString())
                            .failsWithin(PATIENCE)
                            .withThrowableThat()
                            .havingCause()
                            .isInstanceOf(DocumentsException.class);
                }
            }
        }
    }
}
