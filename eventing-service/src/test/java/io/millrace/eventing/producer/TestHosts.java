package io.millrace.eventing.producer;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.millrace.eventing.consumer.WorkerLauncher;
import io.millrace.eventing.hosts.DeadConnections;
import io.millrace.eventing.hosts.HostSettings;
import io.millrace.eventing.hosts.WorkerHosts;
import io.millrace.testkit.RedisFixture;
import java.nio.file.Path;
import java.util.Map;

/** The worker processes of this test JVM, from the distribution of this build: the first test that needs one starts it. */
final class TestHosts {

    private static final int HEAP_MIB = 192;

    private TestHosts() {}

    private static final class Lazily {
        static final WorkerHosts HOSTS = open(1, 0);

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(HOSTS::close, "test-hosts-end"));
        }
    }

    static WorkerHosts get() {
        return Lazily.HOSTS;
    }

    /** Opens processes of one test's own. */
    static WorkerHosts open(int count, int spares) {
        HostSettings settings = new HostSettings(
                WorkerLauncher.developmentHome(Path.of("")),
                RedisFixture.url(),
                HEAP_MIB,
                false,
                0,
                count,
                spares,
                false,
                false,
                HostSettings.Renewal.NEVER,
                Map.of());
        RedisClient redis = RedisClient.create();
        return new WorkerHosts(
                settings,
                DeadConnections.onRedis(
                        () -> redis.connectAsync(ByteArrayCodec.INSTANCE, RedisURI.create(RedisFixture.url()))
                                .thenApply(StatefulRedisConnection::async)));
    }
}
