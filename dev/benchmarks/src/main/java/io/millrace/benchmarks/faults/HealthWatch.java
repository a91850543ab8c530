package io.millrace.benchmarks.faults;

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
import java.util.function.Supplier;

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
    private final URI health;
    private final String header;
    private final Supplier<String> value;
    private final Queue<Sample> samples = new ConcurrentLinkedQueue<>();
    private final Thread watcher;
    private volatile boolean stopped;

    /**
     * @param header by which it says who asks
     * @param value its value at the time
     */
    HealthWatch(URI health, String header, Supplier<String> value) {
        this.health = health;
        this.header = header;
        this.value = value;
        watcher = Thread.ofVirtual().start(this::watch);
    }

    private void watch() {
        while (!stopped) {
            long began = System.nanoTime();
            var unused = client.sendAsync(request(), BodyHandlers.discarding())
                    .thenApply(HttpResponse::statusCode)
                    .exceptionally(failure -> 0)
                    .thenAccept(status -> samples.add(new Sample(began, System.nanoTime(), status == 200)));
            LockSupport.parkNanos(EVERY.toNanos());
        }
    }

    private HttpRequest request() {
        return HttpRequest.newBuilder(health)
                .timeout(PATIENCE)
                .header(header, value.get())
                .build();
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
