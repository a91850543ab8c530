package io.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.OwnRedis;
import io.millrace.worker.cloudevents.Receiver;
import io.millrace.worker.cloudevents.Receiver.Request;
import io.millrace.workerprotocol.HandlerSettings;
import io.millrace.workerprotocol.HandlerSettings.Topic;
import io.millrace.workerprotocol.WorkerSetup;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** CloudEvents of a real worker to a real server. */
@Timeout(600)
class CloudEventsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(180);
    private static final int KEYS = 20;
    private static final int ROUNDS = 60;
    private static final int THREADS = 2;
    private static final String PUBLISH =
            "function OnUpdate(doc, meta) { publish(orders, {n: doc.n}, {key: doc.key}); }";

    @Test
    void serverAndWorkerKilledInTheMiddle_loseNoEventAndNoOrder() throws Exception {
        try (Receiver server = new Receiver();
                OwnRedis redis = OwnRedis.startVolatile()) {
            WorkerSetup setup = setup(redis, server, PUBLISH);
            // every tenth request fails, and the fiftieth is never answered
            server.behaves(number -> number == 50 ? Receiver.STALL : number % 10 == 0 ? 503 : 200);
            long before;
            try (WorkerProcess worker = WorkerProcess.startInterpreted(setup)) {
                for (int round = 1; round <= ROUNDS; round++) {
                    send(worker, round);
                    if (round == ROUNDS / 2) {
                        server.kill();
                        server.restart();
                    }
                }
                Awaitility.await().atMost(PATIENCE).until(() -> worker.answered() == (long) KEYS * ROUNDS);
                assertThat(worker.failures()).isEmpty();
                assertThat(newestOfKeys(server))
                        .hasSize(KEYS)
                        .allSatisfy((key, n) -> assertThat(n).isEqualTo(ROUNDS));

                server.behaves(number -> 503);
                before = server.requests().size();
                send(worker, ROUNDS + 1);
                Awaitility.await()
                        .atMost(PATIENCE)
                        .until(() -> server.requests().size() > before);
                worker.process().destroyForcibly().waitFor();
                assertThat(worker.answered())
                        .as("what was not accepted is not acknowledged")
                        .isEqualTo((long) KEYS * ROUNDS);
            }

            List<Request> refused = List.copyOf(
                    server.requests().subList((int) before, server.requests().size()));
            server.behaves(number -> 200);
            try (WorkerProcess worker = WorkerProcess.startInterpreted(setup)) {
                send(worker, ROUNDS + 1); // as a node does with what was not acknowledged
                Awaitility.await().atMost(PATIENCE).until(() -> worker.answered() == KEYS);
            }
            assertThat(newestOfKeys(server))
                    .hasSize(KEYS)
                    .allSatisfy((key, n) -> assertThat(n).isEqualTo(ROUNDS + 1));
            assertThat(refused.stream().map(CloudEventsIT::id))
                    .as("events that were sent by the first worker")
                    .isSubsetOf(
                            server.accepted().stream().map(CloudEventsIT::id).toList());
        }
    }

    @Test
    void refusedEvent_failsTheInvocation_andSoDoesAHeaderOfTheRequest() throws Exception {
        try (Receiver server = new Receiver();
                OwnRedis redis = OwnRedis.startVolatile();
                WorkerProcess worker = WorkerProcess.startInterpreted(setup(redis, server, """
                        function OnUpdate(doc, meta) {
                          publish(orders, doc, {headers: doc.n == 2 ? {authorization: 'mine'} : {}});
                        }"""))) {
            server.behaves(number -> 422);
            worker.send(0, List.of(Samples.update("a", 1, "{\"n\":1}"), Samples.update("b", 2, "{\"n\":2}")));

            Awaitility.await().atMost(PATIENCE).until(() -> worker.answered() == 2);

            assertThat(server.requests()).hasSize(1);
            assertThat(worker.failures().toString())
                    .contains("The message for the topic com.example.order was not stored")
                    .contains("The server answered 422: not now")
                    .contains("A CloudEvent cannot have the header 'authorization'");
        }
    }

    private static String id(Request request) {
        return request.json().path("id").asString();
    }

    /** Returns the last number of each key; fails unless every accepted event, duplicates left out, is the next of its key. */
    private static Map<String, Integer> newestOfKeys(Receiver server) {
        Map<String, Integer> newest = new HashMap<>();
        Map<String, String> seen = new HashMap<>();
        for (Request request : server.accepted()) {
            if (seen.put(id(request), request.text()) == null) {
                int n = request.json().path("data").path("n").asInt();
                Integer last = newest.put(request.json().path("subject").asString(), n);
                assertThat(n).isEqualTo(last == null ? 1 : last + 1);
            }
        }
        return newest;
    }

    private static void send(WorkerProcess worker, int round) throws Exception {
        for (int thread = 0; thread < THREADS; thread++) {
            worker.send(thread, Samples.round(round, thread, THREADS, KEYS));
        }
    }

    private static WorkerSetup setup(OwnRedis redis, Receiver server, String code) {
        HandlerSettings standard = HandlerSettings.STANDARD;
        HandlerSettings settings = new HandlerSettings(
                List.of(),
                List.of(new HandlerSettings.Url("shop", server.url(), "no-auth", "", "", "", false, true)),
                List.of(),
                standard.cacheBytes(),
                standard.cacheAgeMillis(),
                standard.curlMaxResponseBytes(),
                new HandlerSettings.Access(List.of("127.0.0.1"), List.of(), List.of(), "drivers", "kafka"),
                1,
                List.of(),
                false,
                HandlerSettings.TimerSettings.NONE);
        return new WorkerSetup(
                "f",
                "instance1",
                new WorkerSetup.Source(code, List.of("'use strict';"), List.of(), "7.2.0", false),
                new WorkerSetup.Limits(THREADS, 120_000, 512L << 20),
                "INFO",
                "source",
                redis.url(),
                List.of(),
                settings.withTopics(List.of(new Topic(
                        "orders",
                        Topic.Kind.CLOUDEVENTS,
                        "",
                        "com.example.order",
                        1,
                        "shop",
                        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))));
    }
}
