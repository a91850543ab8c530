package io.millrace.testkit;

import io.millrace.launcher.gateway.Login;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Documents that a gateway has acknowledged; their ids are numbers. */
final class AcknowledgedWrites {

    private static final String BUCKET = "/api/v1/buckets/cycles";
    private static final int WRITERS = 4;
    private static final Duration POLL = Duration.ofMillis(2);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);
    private static final Duration WRITE_LIMIT = Duration.ofMinutes(2);

    private final Set<Integer> acknowledged = new ConcurrentSkipListSet<>();
    private int nextFirst;

    /** Writers that go on until they are stopped or the suite has ended. */
    final class Writing implements AutoCloseable {

        private final List<Thread> writers = new ArrayList<>();
        private final int before = acknowledged.size();
        private volatile boolean stopped;

        private Writing(URI gateway, Login login) {
            for (int i = 0; i < WRITERS; i++) {
                int first = nextFirst++;
                writers.add(Thread.ofVirtual().start(() -> write(gateway, login, first)));
            }
        }

        private void write(URI gateway, Login login, int first) {
            try (HttpClient client = newClient()) {
                // each writer has numbers of its own
                for (int n = first * 100_000; !stopped; n++) {
                    if (send(client, gateway, login, "PUT", BUCKET + "/docs/" + n, "{\"n\":" + n + "}") < 300) {
                        acknowledged.add(n);
                    }
                }
            } catch (IOException e) {
                // the suite ends: what has no answer is not acknowledged
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /** Waits for some acknowledgements. */
        void await(int writes) {
            long started = System.nanoTime();
            while (acknowledged.size() < before + writes) {
                if (System.nanoTime() - started > WRITE_LIMIT.toNanos()) {
                    throw new IllegalStateException(
                            "Only " + (acknowledged.size() - before) + " of " + writes + " writes were acknowledged");
                }
                LockSupport.parkNanos(POLL.toNanos());
            }
        }

        @Override
        public void close() throws InterruptedException {
            stopped = true;
            for (Thread writer : writers) {
                writer.join();
            }
        }
    }

    int count() {
        return acknowledged.size();
    }

    Writing begin(StartedSuite suite) throws IOException, InterruptedException {
        try (HttpClient client = newClient()) {
            int status = send(client, suite.gateway(), login(suite), "PUT", BUCKET, "");
            if (status >= 300) {
                throw new IllegalStateException("The bucket could not be created: status " + status);
            }
        }
        return new Writing(suite.gateway(), login(suite));
    }

    /**
     * Reads every acknowledged document.
     *
     * @throws IllegalStateException if one is not there
     */
    void check(StartedSuite suite) throws IOException, InterruptedException {
        Login login = login(suite);
        List<Integer> lost = new ArrayList<>();
        try (HttpClient client = newClient()) {
            for (int n : acknowledged) {
                if (send(client, suite.gateway(), login, "GET", BUCKET + "/docs/" + n, null) != 200) {
                    lost.add(n);
                }
            }
        }
        if (!lost.isEmpty()) {
            throw new IllegalStateException(
                    lost.size() + " of " + acknowledged.size() + " acknowledged writes are lost: " + lost);
        }
    }

    private static HttpClient newClient() {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }

    private static Login login(StartedSuite suite) {
        return Login.read(suite.data().resolve("login")).orElseThrow();
    }

    private static int send(
            HttpClient client, URI gateway, Login login, String method, String path, @Nullable String body)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(gateway.resolve(path))
                .timeout(ANSWER_LIMIT)
                .header("Authorization", login.authorization())
                .header("Content-Type", "application/json")
                .method(
                        method,
                        body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }
}
