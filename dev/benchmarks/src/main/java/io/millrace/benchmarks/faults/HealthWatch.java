package io.millrace.benchmarks.faults;

import io.millrace.launcher.gateway.Login;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/** Asks for the health of a suite, or a part of it, several times a second, as a load balancer does that gives up soon. */
final class HealthWatch implements AutoCloseable {

    private static final Duration EVERY = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /**
     * An answer.
     *
     * @param began by {@link System#nanoTime()}
     * @param well whether the answer was that all is well; false if there was no answer
     */
    record Sample(long began, long ended, boolean well) {}

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final HttpRequest request;
    private final Queue<Sample> samples = new ConcurrentLinkedQueue<>();
    private final Thread watcher;
    private volatile boolean stopped;

    HealthWatch(URI health, Login operator) {
        request = HttpRequest.newBuilder(health)
                .timeout(PATIENCE)
                .header("Authorization", operator.authorization())
                .build();
        watcher = Thread.ofVirtual().start(this::watch);
    }

    private void watch() {
        while (!stopped) {
            long began = System.nanoTime();
            var unused = client.sendAsync(request, BodyHandlers.discarding())
                    .thenApply(HttpResponse::statusCode)
                    .exceptionally(failure -> 0)
                    .thenAccept(status -> samples.add(new Sample(began, System.nanoTime(), status == 200)));
            LockSupport.parkNanos(EVERY.toNanos());
        }
    }

    /** Returns the answers so far. */
    List<Sample> samples() {
        return List.copyOf(samples);
    }

    @Override
    public void close() throws InterruptedException {
        stopped = true;
        watcher.join();
        client.shutdownNow();
    }
}
