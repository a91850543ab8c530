package io.millrace.subdocservice.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.n1ql.QueryEngine;
import io.millrace.n1ql.keyspace.MemoryKeyspaces;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A statement that needs more memory than available, in a process of its own. */
class HeapWatchTest {

    @Test
    void statementThatFillsTheHeap_isCancelledAndTheProcessContinues() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        GreedyStatements.class.getName())
                .redirectErrorStream(true)
                .start();

        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said.lines().toList())
                .containsOnly("ended with 5500", "modest one gave 20000 rows", "then 1 row")
                .hasSize(9);
    }

    /** Each collection stops the process for as long as a large heap takes, so one does for all that wait for it. */
    @Test
    void statementsThatWaitForACollection_doNotCollectAgain() throws InterruptedException {
        var percent = new AtomicLong(QueryLimits.MOST_HEAP_PERCENT);
        var collections = new AtomicInteger();
        var waiting = new Thread[1];
        var watch = new HeapWatch[1];
        Runnable collector = () -> {
            if (collections.incrementAndGet() == 1) {
                Thread other = Thread.ofPlatform().start(() -> watch[0].look(engine(watch[0])));
                waiting[0] = other;
                await().atMost(Duration.ofSeconds(60)).until(() -> other.getState() == Thread.State.WAITING);
                percent.set(0);
            }
        };
        watch[0] = new HeapWatch(percent::get, collector);

        watch[0].look(engine(watch[0]));
        waiting[0].join();

        assertThat(collections).hasValue(1);
    }

    /** Otherwise each statement that looks would stop the process once more, for nothing. */
    @Test
    void collectionThatFreesLittle_isRepeatedWhenHalfOfTheRestIsInUse() {
        var percent = new AtomicLong(80);
        var collections = new AtomicInteger();
        HeapWatch watch = new HeapWatch(percent::get, collections::incrementAndGet);
        QueryEngine engine = engine(watch);

        watch.look(engine);
        watch.look(engine);
        percent.set(89);
        watch.look(engine);
        assertThat(collections).hasValue(1);

        percent.set(90);
        watch.look(engine);
        assertThat(collections).hasValue(2);

        percent.set(10);
        watch.look(engine);
        percent.set(QueryLimits.MOST_HEAP_PERCENT);
        watch.look(engine);
        assertThat(collections).hasValue(3);
    }

    private static QueryEngine engine(HeapWatch watch) {
        return new QueryEngine(new MemoryKeyspaces(), InstantSource.system(), watch);
    }
}
