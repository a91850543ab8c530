package io.millrace.launcher.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.launcher.LauncherException;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SupervisorTest {

    private final Queue<String> messages = new ConcurrentLinkedQueue<>();

    @ParameterizedTest
    @CsvSource({
        "1,   250,    750",
        "2,   500,    1_500",
        "3,   1_000,  3_000",
        "6,   8_000,  24_000",
        "7,   16_000, 48_000",
        "100, 16_000, 48_000",
    })
    void pause_ofAnAttempt_doublesUpToTheLongestAndIsRandomized(int attempt, String least, String most) {
        List<Long> pauses = Stream.generate(() -> Supervisor.pauseMillis(attempt))
                .limit(200)
                .toList();

        assertThat(pauses)
                .allMatch(pause -> pause >= Long.parseLong(least.replace("_", ""))
                        && pause <= Long.parseLong(most.replace("_", "")));
        assertThat(new HashSet<>(pauses)).hasSizeGreaterThan(10);
    }

    @Test
    void programThatEnds_isRestartedAndReported() {
        Fake program = new Fake(false);
        Supervisor supervisor = Supervisor.watch(program, messages::add);

        program.ends.release();

        await().until(() -> program.starts.availablePermits() == 1);
        assertThat(messages.poll()).contains("fake ended unexpectedly").contains("the exit report");
        supervisor.close();
    }

    @Test
    void programThatEndsAfterClose_isNotRestarted() {
        Fake program = new Fake(false);
        Supervisor supervisor = Supervisor.watch(program, messages::add);

        supervisor.close();
        program.ends.release();

        await().until(() -> program.ends.availablePermits() == 0);
        assertThat(program.starts.availablePermits()).isZero();
        assertThat(messages).isEmpty();
    }

    @Test
    void failedRestart_isReportedAndRepeated() {
        Fake program = new Fake(true);
        Supervisor supervisor = Supervisor.watch(program, messages::add);

        program.ends.release(2);

        await().until(() -> program.starts.availablePermits() == 2);
        assertThat(messages).anyMatch(line -> line.contains("could not be restarted: no luck"));
        supervisor.close();
    }

    private static final class Fake implements Supervisor.Program {
        private final Semaphore ends = new Semaphore(0);
        private final Semaphore starts = new Semaphore(0);
        private final boolean failing;

        private Fake(boolean failing) {
            this.failing = failing;
        }

        @Override
        public String name() {
            return "fake";
        }

        @Override
        public void awaitEnd() throws InterruptedException {
            ends.acquire();
        }

        @Override
        public void restart() {
            starts.release();
            if (failing) {
                throw new LauncherException("no luck");
            }
        }

        @Override
        public String exitReport() {
            return "the exit report";
        }
    }
}
