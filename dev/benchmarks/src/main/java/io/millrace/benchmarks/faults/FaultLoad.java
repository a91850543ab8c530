package io.millrace.benchmarks.faults;

import io.millrace.launcher.gateway.Login;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/** Clients that write documents of their own and read one that has been there before, until they are stopped. */
final class FaultLoad implements AutoCloseable {

    private static final int WRITERS = 4;
    private static final int READERS = 2;

    /** The machine has other work to do as well: that of the processes that are measured. */
    private static final Duration PAUSE = Duration.ofMillis(10);

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /**
     * A request of a client.
     *
     * @param began by {@link System#nanoTime()}
     * @param status 0 if there was no answer
     */
    record Request(boolean read, long began, long ended, int status) {

        boolean succeeded() {
            return status >= 200 && status < 300;
        }

        Duration took() {
            return Duration.ofNanos(ended - began);
        }
    }

    private final URI documents;
    private final Login login;
    private final String readable;
    private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    private final Queue<Request> requests = new ConcurrentLinkedQueue<>();
    private final List<Thread> clients = new ArrayList<>();
    private volatile boolean stopped;

    /**
     * Begins.
     *
     * @param prefix of the ids of all documents that are written
     * @param readable the id of a document that is there
     */
    FaultLoad(URI gateway, Login login, String prefix, String readable) {
        this.documents = gateway.resolve("/api/v1/buckets/" + FaultSuite.SOURCE + "/docs/");
        this.login = login;
        this.readable = readable;
        for (int i = 0; i < WRITERS; i++) {
            String own = prefix + i + "-";
            clients.add(Thread.ofVirtual().start(() -> run(client -> write(client, own))));
        }
        for (int i = 0; i < READERS; i++) {
            clients.add(Thread.ofVirtual().start(() -> run(this::read)));
        }
    }

    private interface Work {
        void with(HttpClient client) throws InterruptedException;
    }

    private void run(Work work) {
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            work.with(client);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(HttpClient client, String own) throws InterruptedException {
        for (int n = 0; !stopped; n++) {
            String id = own + n;
            HttpRequest.Builder put = request(id)
                    .header("Content-Type", "application/json")
                    .PUT(BodyPublishers.ofString("{\"n\":" + n + "}"));
            if (send(client, false, put).succeeded()) {
                acknowledged.add(id);
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private void read(HttpClient client) throws InterruptedException {
        while (!stopped) {
            send(client, true, request(readable).GET());
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private HttpRequest.Builder request(String id) {
        return HttpRequest.newBuilder(documents.resolve(id))
                .timeout(PATIENCE)
                .header("Authorization", login.authorization());
    }

    private Request send(HttpClient client, boolean read, HttpRequest.Builder request) throws InterruptedException {
        long began = System.nanoTime();
        int status = 0;
        try {
            status = client.send(request.build(), BodyHandlers.discarding()).statusCode();
        } catch (IOException e) {
            // there is no answer
        }
        Request done = new Request(read, began, System.nanoTime(), status);
        requests.add(done);
        return done;
    }

    /** Returns the ids of the documents whose writes were acknowledged so far. */
    Set<String> acknowledged() {
        return Set.copyOf(acknowledged);
    }

    /** Returns the requests that have ended so far. */
    List<Request> requests() {
        return List.copyOf(requests);
    }

    /** Waits for some acknowledgements. */
    void awaitWrites(int count) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (acknowledged.size() < count) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("Only %d of %d writes were acknowledged within %d s"
                        .formatted(acknowledged.size(), count, PATIENCE.toSeconds()));
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    @Override
    public void close() throws InterruptedException {
        stopped = true;
        for (Thread client : clients) {
            client.join();
        }
    }
}
