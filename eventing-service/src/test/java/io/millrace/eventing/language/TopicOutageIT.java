package io.millrace.eventing.language;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.millrace.eventing.consumer.WorkerLauncher;
import io.millrace.testkit.OwnRedis;
import io.millrace.workerprotocol.TopicFormat;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** A Redis that is killed under a client that follows a topic: the client gets every message that was published, once and in order. */
@SpringBootTest(
        classes = HandlerLanguageIT.Fixture.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "millrace.log-dir=target/test-logs",
            "millrace.node-id=topic-outage",
            "millrace.eventing.worker-optimized=false",
            "millrace.eventing.worker-processes=1",
            "millrace.eventing.spare-worker-processes=0",
            "server.address=127.0.0.1"
        })
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TopicOutageIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String TOPIC = "outage";
    private static final int SOME = 50;

    /** It ends with the JVM, after the service. */
    private static final OwnRedis REDIS = OwnRedis.startDurable();

    private final RedisClient redis = RedisClient.create(REDIS.url());

    /** The numbers that were published, as far as Redis said so. */
    private final List<Integer> published = new CopyOnWriteArrayList<>();

    private final List<Integer> followed = new CopyOnWriteArrayList<>();

    @LocalServerPort
    private int port;

    @DynamicPropertySource
    static void environment(DynamicPropertyRegistry properties) {
        properties.add("spring.data.redis.url", REDIS::url);
        properties.add("millrace.secrets.master-key", () -> "00".repeat(32));
        properties.add(
                "millrace.worker-home",
                () -> WorkerLauncher.developmentHome(Path.of("")).toString());
    }

    @AfterAll
    void close() {
        redis.shutdown();
    }

    /** What Redis did not acknowledge may be there all the same, so its number is not used again. */
    private void publish(AtomicBoolean end) {
        redis.setOptions(ClientOptions.builder().autoReconnect(false).build()); // which would send a message again
        for (int n = 0; !end.get(); n++) {
            try (StatefulRedisConnection<String, String> connection = redis.connect()) {
                for (; !end.get(); n++) {
                    connection.sync().xadd(TopicFormat.place(TOPIC), Map.of(TopicFormat.DATA, Integer.toString(n)));
                    published.add(n);
                }
            } catch (RedisException down) {
                // not acknowledged
            }
        }
    }

    private void follow() {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:%d/api/v1/topics/%s?since=0".formatted(port, TOPIC)))
                .build();
        HttpClient.newHttpClient()
                .sendAsync(request, HttpResponse.BodyHandlers.ofLines())
                .thenAccept(answer -> answer.body()
                        .filter(line -> line.startsWith("data: {\"message\":"))
                        .forEach(line -> followed.add(Integer.parseInt(line.split("[:,]")[2]))));
    }

    @Test
    void redisKilled_isReadOnWhereTheFollowerWas() {
        AtomicBoolean end = new AtomicBoolean();
        CompletableFuture<Void> publishing = CompletableFuture.runAsync(() -> publish(end), Thread::startVirtualThread);
        await().atMost(PATIENCE).until(() -> published.size() > SOME);
        follow();
        await().atMost(PATIENCE).until(() -> followed.size() > SOME);

        REDIS.kill9();
        int before = published.size();
        REDIS.restart();

        await().atMost(PATIENCE).until(() -> published.size() > before + SOME);
        end.set(true);
        publishing.join();
        int last = published.getLast();
        await().atMost(PATIENCE).until(() -> followed.contains(last));
        assertThat(followed).isSorted().doesNotHaveDuplicates().containsAll(published);
        List<Integer> unacknowledged = new ArrayList<>(followed);
        unacknowledged.removeAll(published);
        assertThat(unacknowledged).as("at most the one that was under way").hasSizeLessThanOrEqualTo(1);
    }
}
