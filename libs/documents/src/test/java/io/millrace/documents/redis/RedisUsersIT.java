package io.millrace.documents.redis;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.StoreKit;
import io.millrace.documents.Write;
import io.millrace.launcher.redis.RedisConsole;
import io.millrace.testkit.OwnRedis;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A service as the Redis user that docker/redis-users describes: what it needs works, and the server is out of its reach. */
class RedisUsersIT {

    private static OwnRedis redis;
    private static RedisKit kit;

    @BeforeAll
    static void start() throws Exception {
        redis = OwnRedis.startVolatile();
        RedisConsole console = redis.console();
        for (String line : users("subdoc-service", "pass", "eventing-service", "pass")) {
            List<String> command = new ArrayList<>(List.of("ACL", "SETUSER"));
            command.addAll(List.of(line.split(" ")).subList(1, line.split(" ").length));
            if (!command.contains("default")) { // the test itself is this user
                assertThat(console.call(command.toArray(String[]::new))).isEqualTo("OK");
            }
        }
        kit = new RedisKit("redis://subdoc-service:pass@127.0.0.1:" + redis.port());
    }

    @AfterAll
    static void stop() {
        kit.close();
        redis.close();
    }

    @Test
    void service_storesDocuments() {
        DocumentStore store = kit.store(InstantSource.system());
        String bucket = StoreKit.uniqueBucket();
        await(store.catalog().createBucket(bucket, 2));
        DocumentKey key = new DocumentKey(Keyspace.of(bucket), "a");

        await(store.write(Write.upsert(key, bytes("{}"))));

        assertThat(await(store.get(key))).isPresent();
        await(store.catalog().dropBucket(bucket));
        assertThat(kit.console().configGet("appendonly")).containsKey("appendonly");
        assertThat(kit.console().info("replication")).contains("role:master");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CONFIG SET appendonly no",
                "CONFIG REWRITE",
                "FLUSHALL",
                "FLUSHDB",
                "FUNCTION FLUSH",
                "DEBUG SLEEP 0",
                "KEYS *",
                "SHUTDOWN NOSAVE",
                "REPLICAOF NO ONE",
                "ACL LIST",
                "CLIENT KILL TYPE normal",
                "MONITOR",
                "SAVE",
                "EVAL return(1) 0",
                "GET other",
                "SET other 1",
                "PUBLISH other 1"
            })
    void service_cannotTouchTheServerOrOtherKeys(String command) {
        assertThatThrownBy(() -> call(kit.console(), command))
                .isInstanceOf(RedisCommandExecutionException.class)
                .hasMessageMatching("(?s).*(NOPERM|not allowed).*");
    }

    @Test
    void eventingService_endsConnectionsOfOthers_andCannotInspectTheServer() throws Exception {
        var eventing =
                new RedisConsole("redis://eventing-service:pass@127.0.0.1:" + redis.port(), Duration.ofSeconds(10));

        assertThat(eventing.call("CLIENT", "LIST")).contains("user=eventing-service");
        assertThat(eventing.call("CLIENT", "KILL", "ID", "1000000000")).isEqualTo("0");
        assertThatThrownBy(() -> eventing.call("MONITOR")).hasMessageContaining("NOPERM");
    }

    @Test
    void healthCheck_canOnlyAskWhetherTheServerAnswers() throws Exception {
        var health = new RedisConsole("redis://health:health@127.0.0.1:" + redis.port(), Duration.ofSeconds(10));

        assertThat(health.call("PING")).isEqualTo("PONG");
        assertThatThrownBy(() -> health.call("INFO")).hasMessageContaining("NOPERM");
    }

    @Test
    void connectionWithoutAUser_isRefused() throws Exception {
        assertThat(users("subdoc-service", "pass")).contains("user default off resetpass -@all");
    }

    private static void call(RedisCommands<String, String> redis, String command) {
        String[] words = command.split(" ");
        var args = new CommandArgs<>(StringCodec.UTF8);
        Arrays.stream(words).skip(1).forEach(args::add);
        ProtocolKeyword name = () -> words[0].getBytes(StandardCharsets.US_ASCII);
        redis.dispatch(name, new StatusOutput<>(StringCodec.UTF8), args);
    }

    /** Returns the lines that docker/redis-users prints. */
    private static List<String> users(String... namesAndPasswords) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("sh", script().toString()));
        command.addAll(List.of(namesAndPasswords));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output.lines().toList();
    }

    private static Path script() {
        return Path.of("../../docker/redis-users");
    }
}
