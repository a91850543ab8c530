package io.millrace.worker.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.handler.host.HandlerHost.LogLevel;
import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.Link;
import io.millrace.workerprotocol.LinkServer;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class OutboxTest {

    private final Counters counters = new Counters();
    private final LogBuffer log = new LogBuffer(InstantSource.system(), LogLevel.INFO, counters);

    private LinkServer server;
    private Link worker;
    private Link service;
    private Outbox outbox;
    private Thread reporter;

    @BeforeEach
    void connect() throws IOException {
        server = LinkServer.listen();
        worker = Link.connect(server.socket());
        service = server.accept(Duration.ofMinutes(2));
        start(new Outbox(worker, log, counters, new InsightBook(false), System::nanoTime));
    }

    private void start(Outbox next) {
        outbox = next;
        reporter = Thread.ofVirtual().start(() -> {
            try {
                outbox.run();
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        outbox.finish();
        reporter.join();
        worker.close();
        service.close();
        server.close();
    }

    @Test
    void reporterOfThreadsThatWait_restsUntilOneBegins() throws IOException {
        await().until(outbox::resting);

        outbox.begin();
        log.add(LogLevel.INFO, "at work");

        assertThat(outbox.resting()).isFalse();
        assertThat(service.receive()).get().isInstanceOf(Frame.Log.class);
        outbox.end();
        await().until(outbox::resting);
    }

    @Test
    void whatWasCounted_isReportedBeforeARest() throws IOException {
        await().until(outbox::resting);

        outbox.begin();
        counters.add("reads", 3);
        outbox.end();

        await().until(outbox::resting);
        assertThat(service.receive()).contains(new Frame.Counters(Map.of("reads", 3L)));
    }

    @Test
    void reporterAtRest_looksOnceForEachSignOfLife() throws IOException, InterruptedException {
        outbox.finish();
        reporter.join();
        List<Long> looks = new CopyOnWriteArrayList<>();
        LongSupplier clock = () -> {
            looks.add(System.nanoTime());
            return looks.getLast();
        };

        start(new Outbox(worker, log, counters, new InsightBook(false), clock, Duration.ofSeconds(4)));

        await().until(() -> longestRest(looks) > Duration.ofMillis(2_500).toNanos());
        assertThat(service.receive()).contains(new Frame.Counters(Map.of()));
    }

    private static long longestRest(List<Long> looks) {
        long longest = 0;
        for (int i = 1; i < looks.size(); i++) {
            longest = Math.max(longest, looks.get(i) - looks.get(i - 1));
        }
        return longest;
    }

    @Test
    void threadAtWork_keepsTheReporterFromResting() throws IOException {
        outbox.begin();
        counters.add("reads", 1);
        assertThat(service.receive()).contains(new Frame.Counters(Map.of("reads", 1L)));

        log.add(LogLevel.INFO, "still at work");

        assertThat(service.receive()).get().isInstanceOf(Frame.Log.class);
        assertThat(outbox.resting()).isFalse();
        outbox.end();
    }
}
