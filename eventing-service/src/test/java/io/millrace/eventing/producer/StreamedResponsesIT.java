package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.eventing.consumer.RequestResult;
import io.millrace.eventing.consumer.StreamedResponse;
import io.millrace.testkit.RedisFixture;
import io.millrace.workerprotocol.HttpBody;
import io.millrace.workerprotocol.HttpRequest;
import io.millrace.workerprotocol.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Responses in parts: real workers on a real Redis. */
@Timeout(300)
class StreamedResponsesIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final List<String> parts = new CopyOnWriteArrayList<>();
    private volatile boolean broken;

    private static RealWorkers workers(String code) {
        RealWorkers workers = new RealWorkers(RedisFixture.url(), "streamed-" + UUID.randomUUID());
        workers.start(code);
        return workers;
    }

    private static StreamedResponse request(RealWorkers workers) {
        HttpBody none = new HttpBody(HttpBody.Kind.NONE, new byte[0]);
        HttpRequest request = new HttpRequest("{}".getBytes(StandardCharsets.UTF_8), none);
        RequestResult result = workers.supervisor()
                .request("f", request, Duration.ofSeconds(60))
                .join();
        assertThat(result).isInstanceOf(RequestResult.Streamed.class);
        return ((RequestResult.Streamed) result).response();
    }

    private void read(StreamedResponse response) {
        response.parts()
                .subscribe(
                        part -> {
                            response.taken(part.length);
                            parts.add(new String(part, StandardCharsets.UTF_8));
                        },
                        failure -> broken = true);
    }

    private static Outcome end(StreamedResponse response) {
        return response.ended()
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    @Test
    void parts_comeWhenTheHandlerGivesThem_andWhatItWroteBeforeIsStored() {
        try (RealWorkers workers = workers("""
                function* waiting() {
                  target.begun = true;
                  yield 'first';
                  while (!target.go) {}
                  yield 'second';
                }
                function OnRequest() { return {status: 206, headers: {a: 'b'}, body: waiting()}; }
                """)) {
            StreamedResponse response = request(workers);

            assertThat(workers.target("begun")).isEqualTo("true");
            assertThat(response.beginning().status()).isEqualTo(206);
            assertThat(response.ended()).isNotDone();
            read(response);
            assertThat(parts).containsExactly("first");
            workers.putTarget("go", "true");

            assertThat(end(response).ok()).isTrue();
            assertThat(parts).containsExactly("first", "second");
            await().atMost(PATIENCE)
                    .until(() ->
                            Long.valueOf(1).equals(workers.stats().execution().get("on_request_success")));
        }
    }

    @Test
    void handlerThatThrowsInTheMiddle_breaksItsResponse() {
        try (RealWorkers workers = workers("""
                function* failing() { yield 'first'; null.x; }
                function OnRequest() { return {body: failing()}; }
                """)) {
            StreamedResponse response = request(workers);
            read(response);

            assertThat(end(response).result()).isEqualTo(Outcome.Result.THREW);
            assertThat(parts).containsExactly("first");
            await().atMost(PATIENCE).until(() -> broken);
        }
    }

    @Test
    void responseThatIsNotWanted_ends_andTheHandlerCleansUp() {
        try (RealWorkers workers = workers("""
                function* endless() {
                  try { for (;;) { yield 'x'.repeat(10000); } } finally { target.closed = true; }
                }
                function OnRequest() { return {body: endless()}; }
                """)) {
            StreamedResponse response = request(workers);
            assertThat(response.ended()).isNotDone();

            response.abandon();

            assertThat(end(response).ok()).isTrue();
            assertThat(workers.target("closed")).isEqualTo("true");
        }
    }

    @Test
    void workerKilledInTheMiddle_breaksTheResponse() {
        try (RealWorkers workers = workers("""
                function* endless() { for (;;) { yield 'x'.repeat(10000); } }
                function OnRequest() { return {body: endless()}; }
                """)) {
            StreamedResponse response = request(workers);
            ProcessHandle.of(workers.pid()).ifPresent(ProcessHandle::destroyForcibly);

            assertThat(end(response).result()).isEqualTo(Outcome.Result.WORKER_ENDED);
            read(response);
            await().atMost(PATIENCE).until(() -> broken);
        }
    }
}
