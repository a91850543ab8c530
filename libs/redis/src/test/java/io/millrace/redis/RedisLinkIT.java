package io.millrace.redis;

import static io.millrace.redis.Bytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.FlushMode;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.millrace.testkit.OwnRedis;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RedisLinkIT {

    private final OwnRedis server = OwnRedis.startVolatile();
    private final RedisClient client = RedisClient.create(server.url());
    private final StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE);
    private final AtomicInteger connects = new AtomicInteger();
    private final RedisLink link = new RedisLink(this::connect, Sample.LIBRARY);
    private final byte[][] key = {bytes("k")};

    private CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>> connect() {
        connects.incrementAndGet();
        return CompletableFuture.completedStage(connection.async());
    }

    @AfterEach
    void close() {
        client.shutdown();
        server.close();
    }

    @Test
    void function_isLoadedAtTheFirstCall() {
        assertThat(add(3)).isEqualTo(6);
        assertThat(add(1)).isEqualTo(8);

        assertThat(connects).hasValue(1);
        assertThat(connection.sync().functionList()).hasSize(1);
    }

    @Test
    void function_thatOnlyReads_isCalledWithoutWriting() {
        add(1);

        List<Object> answer = link.<List<Object>>call(
                        redis -> Sample.LIBRARY.list(redis, Sample.LOOK, key, bytes(1), bytes(2)))
                .join();

        assertThat(answer).containsExactly(bytes("2"), 2L);
        assertThat(connection.sync().info("commandstats")).contains("cmdstat_fcall_ro:calls=1");
    }

    @Test
    void functionsThatRedisLost_areLoadedAgain() {
        add(1);
        connection.sync().functionFlush(FlushMode.SYNC);

        assertThat(add(1)).isEqualTo(4);
    }

    @Test
    void redisWithFullMemory_stillAnswersPlainCommands() {
        connection.sync().set(key[0], bytes("x"));
        connection.sync().configSet("maxmemory", "1");

        assertThat(link.call(redis -> redis.get(key[0])).join()).isEqualTo(bytes("x"));
        assertThatThrownBy(() -> add(1)).hasMessageContaining("OOM");
    }

    @Test
    void connectorThatFails_isAskedAgain() {
        AtomicInteger attempts = new AtomicInteger();
        RedisLink impatient = new RedisLink(
                () -> {
                    if (attempts.incrementAndGet() == 1) {
                        throw new IllegalStateException("not yet");
                    }
                    return CompletableFuture.completedStage(connection.async());
                },
                Sample.LIBRARY);

        assertThatThrownBy(() -> impatient.call(redis -> redis.get(key[0])).join())
                .hasRootCauseMessage("not yet");
        assertThat(impatient.call(redis -> redis.get(key[0])).join()).isNull();
    }

    @Test
    void errorOfACommand_isTheFailureOfTheCall() {
        connection.sync().lpush(key[0], bytes("x"));

        assertThatThrownBy(() -> add(1))
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(RedisCommandExecutionException.class);
    }

    private long add(long number) {
        return link.call(redis -> Sample.LIBRARY.number(redis, Sample.ADD, key, bytes(number)))
                .join();
    }
}
