package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.launcher.suite.Service;
import io.millrace.launcher.suite.Suite;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Kills the worker, the eventing-service and Redis during 100,000 mutations, and checks every document afterwards.
 *
 * <p>Each document is written five times in a short period and never again, so that a lost event of its last state is not
 * repaired by a later one.
 *
 * <p>Takes minutes, so the build excludes it unless {@code -Dtests.excluded=none} is set.
 */
@Tag("long")
class CrashIT {

    private static final int DOCUMENTS = 20_000;
    private static final int STATES = 5;
    private static final int MUTATIONS = DOCUMENTS * STATES;
    private static final int WRITERS = 16;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final String HANDLER = """
            function OnUpdate(doc, meta) {
                var seen = handled[meta.id];
                if (seen !== undefined && seen.state > doc.state) {
                    handled['backwards::' + meta.id] = {from: seen.state, to: doc.state};
                    log('backwards', meta.id, seen.state, doc.state);
                }
                handled[meta.id] = {state: doc.state};
            }
            """;

    private final AtomicInteger written = new AtomicInteger();

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path directory;

    @Test
    void crashesOfEveryProcess_loseNoEventsAndKeepTheOrder() throws Exception {
        try (Suite suite = Suite.start(BuiltSuite.settings(directory));
                Client client = new Client(suite.url(Service.SUBDOC), suite.url(Service.GATEWAY))) {
            deploy(client);

            CompletableFuture<Void> writing = CompletableFuture.allOf(startWriters(client));
            awaitWritten(MUTATIONS / 5, writing);
            killWorker(client);
            awaitWritten(MUTATIONS * 2 / 5, writing);
            suite.kill9(Service.EVENTING);
            awaitWritten(MUTATIONS * 3 / 5, writing);
            suite.kill9Redis();
            awaitWritten(MUTATIONS * 4 / 5, writing);
            suite.kill9(Service.EVENTING);
            writing.get();

            awaitEveryLastState(client);
            assertThat(backwards(client))
                    .as("documents that went back to an earlier state")
                    .isEmpty();
            assertNothingIsStuck(client);
        }
    }

    private static void deploy(Client client) throws InterruptedException {
        client.createBucket("source");
        client.createBucket("handled");
        client.createBucket("metadata");
        client.createFunction("crash", Definitions.function("crash", HANDLER, "source", "metadata", "handled"));
        client.deploy("crash");
    }

    private CompletableFuture<?>[] startWriters(Client client) {
        CompletableFuture<?>[] writers = new CompletableFuture<?>[WRITERS];
        for (int i = 0; i < WRITERS; i++) {
            int first = i;
            CompletableFuture<Void> done = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> {
                try {
                    writeDocuments(client, first);
                    done.complete(null);
                } catch (InterruptedException | RuntimeException | AssertionError e) {
                    done.completeExceptionally(e);
                }
            });
            writers[i] = done;
        }
        return writers;
    }

    private void writeDocuments(Client client, int first) throws InterruptedException {
        for (int number = first; number < DOCUMENTS; number += WRITERS) {
            for (int state = 1; state <= STATES; state++) {
                client.put("source", "doc-" + number, "{\"state\":" + state + "}");
                written.incrementAndGet();
            }
        }
    }

    private void awaitWritten(int count, CompletableFuture<Void> writing)
            throws ExecutionException, InterruptedException {
        while (written.get() < count) {
            if (writing.isDone()) {
                writing.get();
            }
            LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
        }
    }

    private static void killWorker(Client client) throws InterruptedException {
        long pid = 0;
        while (pid == 0) {
            for (JsonNode worker : client.stats("crash").path("worker_pids")) {
                pid = worker.asLong();
            }
        }
        assertThat(ProcessHandle.of(pid).orElseThrow().destroyForcibly()).isTrue();
    }

    private static void awaitEveryLastState(Client client) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        List<Integer> missing = new ArrayList<>();
        for (int number = 0; number < DOCUMENTS; number++) {
            missing.add(number);
        }
        while (!missing.isEmpty() && System.nanoTime() < deadline) {
            List<Integer> still = new ArrayList<>();
            for (int number : missing) {
                if (client.document("handled", "doc-" + number, PATIENCE)
                                .path("state")
                                .asInt(0)
                        != STATES) {
                    still.add(number);
                }
            }
            missing = still;
        }
        List<String> lost = new ArrayList<>();
        for (int number : missing) {
            lost.add(number + " " + client.document("handled", "doc-" + number, PATIENCE));
        }
        assertThat(lost).as("documents whose last state was not handled").isEmpty();
    }

    private static List<String> backwards(Client client) throws InterruptedException {
        List<String> found = new ArrayList<>();
        for (int number = 0; number < DOCUMENTS; number++) {
            JsonNode mark = client.document("handled", "backwards::doc-" + number, PATIENCE);
            if (!mark.isMissingNode()) {
                found.add("doc-" + number + " " + mark);
            }
        }
        return found;
    }

    private static void assertNothingIsStuck(Client client) throws InterruptedException {
        client.put("source", "last", "{\"state\":1}");
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (client.document("handled", "last", PATIENCE).isMissingNode()) {
            assertThat(System.nanoTime())
                    .as("a document written after all crashes is handled")
                    .isLessThan(deadline);
        }
    }
}
