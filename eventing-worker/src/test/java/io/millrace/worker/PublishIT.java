package io.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.millrace.testkit.OwnRedis;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.HandlerSettings;
import io.millrace.workerprotocol.HandlerSettings.Topic;
import io.millrace.workerprotocol.WorkerSetup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages of a real worker in a real Redis. */
@Timeout(240)
class PublishIT {

    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final int KEYS = 20;
    private static final int ROUNDS = 300;
    private static final int THREADS = 2;
    private static final String STREAM = "mr:topic:shop.orders";
    private static final String PUBLISH =
            "function OnUpdate(doc, meta) { publish(orders, {n: doc.n}, {key: doc.key, headers: {tenant: 'a'}}); }";

    @Test
    void redisKilledInTheMiddle_losesNoMessageAndNoOrder() throws Exception {
        try (OwnRedis redis = OwnRedis.startDurable();
                WorkerProcess worker = start(redis, PUBLISH, 1_000_000)) {
            for (int round = 1; round <= ROUNDS; round++) {
                for (int thread = 0; thread < THREADS; thread++) {
                    worker.send(thread, round(thread, round));
                }
                if (round == ROUNDS / 4 || round == ROUNDS / 2) {
                    redis.kill9();
                    redis.restart();
                }
            }
            Awaitility.await().atMost(PATIENCE).until(() -> worker.answered() == (long) KEYS * ROUNDS);

            assertThat(worker.failures()).isEmpty();
            assertThat(newestOfKeys(entries(redis)))
                    .hasSize(KEYS)
                    .allSatisfy((key, n) -> assertThat(n).isEqualTo(ROUNDS));
        }
    }

    @Test
    void eventThatIsHandledAgain_sendsTheSameIds() throws Exception {
        String code = "function OnUpdate(doc, meta) { publish(orders, 'first'); publish(orders, 'second'); }";
        List<Event> events = round(0, 1);
        try (OwnRedis redis = OwnRedis.startVolatile()) {
            for (int time = 0; time < 2; time++) {
                try (WorkerProcess worker = start(redis, code, 1_000_000)) {
                    worker.send(0, events);
                    Awaitility.await().atMost(PATIENCE).until(() -> worker.answered() == events.size());
                }
            }

            List<Map<String, String>> entries = entries(redis);
            int each = 2 * events.size();
            assertThat(ids(entries)).hasSize(each);
            assertThat(entries).hasSize(2 * each);
            assertThat(entries.subList(0, each)).isEqualTo(entries.subList(each, 2 * each));
            assertThat(entries.getFirst())
                    .containsEntry("content_type", "text/plain")
                    .containsEntry("data", "first");
        }
    }

    @Test
    void stream_forgetsItsOldestMessages() throws Exception {
        try (OwnRedis redis = OwnRedis.startVolatile();
                WorkerProcess worker = start(redis, PUBLISH, 100)) {
            for (int round = 1; round <= 100; round++) {
                worker.send(0, round(0, round));
            }
            Awaitility.await().atMost(PATIENCE).until(() -> worker.answered() == 100L * KEYS / THREADS);

            assertThat(entries(redis)).hasSizeBetween(100, 300); // Redis removes nodes of about 100 entries
        }
    }

    @Test
    void keyOfAnotherType_failsTheInvocation() throws Exception {
        try (OwnRedis redis = OwnRedis.startVolatile();
                WorkerProcess worker = start(redis, PUBLISH, 100);
                StatefulRedisConnection<String, String> connection =
                        RedisClient.create(redis.url()).connect()) {
            connection.sync().set(STREAM, "text");

            worker.send(0, List.of(Samples.update("a", 1, "{\"key\":\"k\",\"n\":1}")));

            Awaitility.await().atMost(PATIENCE).until(() -> worker.answered() == 1);
            assertThat(worker.failures().toString())
                    .contains("The message for the topic shop.orders was not stored")
                    .contains("WRONGTYPE");
        }
    }

    @Test
    void channel_tellsThoseWhoListen() throws Exception {
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        try (OwnRedis redis = OwnRedis.startVolatile();
                WorkerProcess worker =
                        start(redis, "function OnUpdate(doc, meta) { publish(bell, {id: meta.id}); }", 100);
                StatefulRedisPubSubConnection<String, String> connection =
                        RedisClient.create(redis.url()).connectPubSub()) {
            connection.addListener(new RedisPubSubAdapter<>() {
                @Override
                public void message(String channel, String message) {
                    heard.add(channel + ' ' + message);
                }
            });
            connection.sync().subscribe("mr:topic:bell");

            worker.send(0, List.of(Samples.update("a", 1, "{}")));

            assertThat(heard.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo("mr:topic:bell {\"id\":\"a\"}");
        }
    }

    /** Returns the last number of each key; fails unless every message, duplicates left out, is the next one of its key. */
    private static Map<String, Integer> newestOfKeys(List<Map<String, String>> entries) {
        Set<String> seen = new HashSet<>();
        Map<String, Integer> newest = new HashMap<>();
        for (Map<String, String> entry : entries) {
            if (seen.add(entry.get("id"))) {
                assertThat(entry).containsEntry("header.tenant", "a").containsEntry("content_type", "application/json");
                int n = Integer.parseInt(String.valueOf(entry.get("data")).replaceAll("\\D", ""));
                Integer before = newest.put(entry.get("key"), n);
                assertThat(n).isEqualTo(before == null ? 1 : before + 1);
            }
        }
        return newest;
    }

    private static Set<String> ids(List<Map<String, String>> entries) {
        Set<String> ids = new HashSet<>();
        entries.forEach(entry -> ids.add(entry.get("id")));
        return ids;
    }

    private static List<Map<String, String>> entries(OwnRedis redis) {
        try (RedisClient client = RedisClient.create(redis.url());
                StatefulRedisConnection<String, String> connection = client.connect()) {
            return connection.sync().xrange(STREAM, Range.unbounded()).stream()
                    .map(StreamMessage::getBody)
                    .toList();
        }
    }

    private static List<Event> round(int thread, int round) {
        List<Event> events = new ArrayList<>();
        for (int k = thread; k < KEYS; k += THREADS) {
            events.add(Samples.update("s" + k, round, "{\"key\":\"k%d\",\"n\":%d}".formatted(k, round)));
        }
        return events;
    }

    private static WorkerProcess start(OwnRedis redis, String code, long longest) throws Exception {
        return WorkerProcess.startInterpreted(new WorkerSetup(
                "f",
                "instance1",
                new WorkerSetup.Source(code, List.of("'use strict';"), List.of(), "7.2.0", false),
                new WorkerSetup.Limits(THREADS, 60_000, 512L << 20),
                "INFO",
                "source",
                redis.url(),
                List.of(),
                HandlerSettings.STANDARD.withTopics(List.of(
                        new Topic("orders", Topic.Kind.REDIS_STREAM, "shop.orders", longest),
                        new Topic("bell", Topic.Kind.REDIS_CHANNEL, "bell", 1)))));
    }
}
