package io.millrace.subdocservice.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.spring.DocumentsAutoConfiguration;
import io.millrace.memcached.Opcode;
import io.millrace.memcached.Status;
import io.millrace.memcached.client.Call;
import io.millrace.memcached.client.MemcachedClient;
import io.millrace.testkit.OwnRedis;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Requests while Redis is away. */
class StoreAwayIT {

    private static final Call GET = Call.of(Opcode.GET, "k");

    @Test
    void requests_whileRedisIsAway_areAnswered_andServedWhenItIsBack() {
        try (OwnRedis redis = OwnRedis.startDurable()) {
            new ApplicationContextRunner()
                    .withConfiguration(
                            AutoConfigurations.of(DataRedisAutoConfiguration.class, DocumentsAutoConfiguration.class))
                    .withPropertyValues("spring.data.redis.url=" + redis.url())
                    .run(context -> {
                        DocumentStore store = context.getBean(DocumentStore.class);
                        store.catalog().createBucket("b", 1).join();
                        try (KvKit kit = new KvKit(store, InstantSource.system());
                                MemcachedClient client = kit.open("b", KvKit.ALL)) {
                            assertThat(client.call(GET).status()).isEqualTo(Status.KEY_ENOENT);

                            redis.stop();
                            // the first still knows its bucket, the next ones would have to ask for it
                            for (int i = 0; i < 4; i++) {
                                assertThat(client.call(GET).status()).isEqualTo(Status.ETMPFAIL);
                            }

                            redis.restart();
                            await().until(() -> client.call(GET).status() == Status.KEY_ENOENT);
                        }
                    });
        }
    }
}
