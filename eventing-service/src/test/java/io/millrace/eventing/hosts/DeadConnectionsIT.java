package io.millrace.eventing.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.millrace.testkit.RedisCluster;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class DeadConnectionsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void end_inACluster_endsTheConnectionsToEveryMaster_andNoOthers() {
        try (RedisCluster cluster = RedisCluster.start(2);
                RedisClusterClient dead = client(cluster, "host-1");
                RedisClusterClient alive = client(cluster, "host-11");
                RedisClusterClient service = client(cluster, "service");
                StatefulRedisClusterConnection<byte[], byte[]> own = service.connect(ByteArrayCodec.INSTANCE);
                StatefulRedisClusterConnection<byte[], byte[]> others = alive.connect(ByteArrayCodec.INSTANCE);
                StatefulRedisClusterConnection<byte[], byte[]> left = dead.connect(ByteArrayCodec.INSTANCE)) {
            left.sync().upstream().commands().ping();
            List<Long> ids = ids(others);
            DeadConnections connections = DeadConnections.onRedis(() -> CompletableFuture.completedFuture(own.async()));

            assertThat(connections.end("host-1"))
                    .succeedsWithin(PATIENCE)
                    .satisfies(count -> assertThat(count).isGreaterThanOrEqualTo(2));

            assertThat(ids(others)).isEqualTo(ids);
            assertThat(connections.end("host-9")).succeedsWithin(PATIENCE).isEqualTo(0L);
        }
    }

    private static RedisClusterClient client(RedisCluster cluster, String name) {
        RedisURI address = RedisURI.create(
                "redis://127.0.0.1:" + cluster.masters().getFirst().port());
        address.setClientName(name);
        return RedisClusterClient.create(address);
    }

    /** Returns the ids of the connections to the masters; one that was ended and made again has another. */
    private static List<Long> ids(StatefulRedisClusterConnection<byte[], byte[]> connection) {
        return connection.sync().upstream().asMap().values().stream()
                .map(master -> master.clientId())
                .sorted()
                .toList();
    }
}
