package io.millrace.worker.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.worker.ProcessResources;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A built-in function that failed would be reported and nothing else: functions run without a rehearsal as well. */
class RehearsalTest {

    private static final long PATIENCE_SECONDS = 300;

    private final ProcessResources resources = ProcessResources.start(512L << 20, "test", stuck -> {});
    private final Queue<String> ends = new ConcurrentLinkedQueue<>();
    private final Rehearsal rehearsal =
            new Rehearsal(resources, (why, message, cause) -> ends.add(why + " " + message));
    private final PrintStream console = System.out;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @BeforeEach
    void record() {
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void print() {
        System.setOut(console);
    }

    @Test
    void rehearsal_succeeds() {
        rehearsal.run();

        assertThat(rehearsal.handled()).isEqualTo(6);
        assertThat(printed.toString(StandardCharsets.UTF_8)).doesNotContain("rehearsal_failed");
        assertThat(ends).isEmpty();
    }

    @Test
    void practice_succeeds_inItsTurn() throws InterruptedException {
        CountDownLatch practised = new CountDownLatch(1);

        rehearsal.practise();
        resources.afterLoads(practised::countDown);

        assertThat(practised.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(rehearsal.handled()).isEqualTo(1_500);
        assertThat(printed.toString(StandardCharsets.UTF_8)).doesNotContain("rehearsal_failed");
        assertThat(ends).isEmpty();
    }
}
