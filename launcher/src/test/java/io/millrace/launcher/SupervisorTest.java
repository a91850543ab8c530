package io.millrace.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SupervisorTest {

    private final Queue<String> said = new ConcurrentLinkedQueue<>();

    @Test
    void longer_repeated_doublesUpToTheLongest() {
        List<Duration> pauses = Stream.iterate(Supervisor.FIRST_PAUSE, Supervisor::longer)
                .limit(9)
                .toList();

        assertThat(pauses)
                .extracting(Duration::toMillis)
                .containsExactly(500L, 1000L, 2000L, 4000L, 8000L, 16_000L, 30_000L, 30_000L, 30_000L);
    }

    @Test
    void aProgramThatEnds_isStartedAgainAndSaid() {
        Fake program = new Fake(false);
        Supervisor supervisor = Supervisor.watch(program, said::add);

        program.ends.release();

        await().until(() -> program.starts.availablePermits() == 1);
        assertThat(said.poll()).contains("fake ended by itself").contains("last words");
        supervisor.close();
    }

    @Test
    void aProgramThatEndsAfterClose_staysEnded() {
        Fake program = new Fake(false);
        Supervisor supervisor = Supervisor.watch(program, said::add);

        supervisor.close();
        program.ends.release();

        await().until(() -> program.ends.availablePermits() == 0);
        assertThat(program.starts.availablePermits()).isZero();
        assertThat(said).isEmpty();
    }

    @Test
    void aRestartThatFails_isSaidAndTriedAgain() {
        Fake program = new Fake(true);
        Supervisor supervisor = Supervisor.watch(program, said::add);

        program.ends.release(2);

        await().until(() -> program.starts.availablePermits() == 2);
        assertThat(said).anyMatch(line -> line.contains("could not be started again: no luck"));
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
        public String lastWords() {
            return "last words";
        }
    }
}
