package io.millrace.eventing.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.Link;
import io.millrace.workerprotocol.WorkerExit;
import io.millrace.workerprotocol.WorkerSetup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SessionTest {

    private static final WorkerSetup SETUP = FakeWorkers.setup("", 1);

    @Test
    void reasonOfAWorker_isWaitedForAfterItsLinkHasClosed() throws Exception {
        LateWorker worker = new LateWorker();

        try (Session session = Session.open("late", SETUP, placement(), worker)) {
            session.greet(frame -> {});
            assertThat(session.receive()).isEmpty();
            assertThat(worker.exited).isNotDone();

            Death death = session.death(true);

            assertThat(death.cause()).isEqualTo(Death.Cause.STORE);
            assertThat(death.reason()).startsWith(WorkerExit.STORE_AWAY.reason());
        }
    }

    private static Placement placement() {
        return new Placement("", Placement.Isolation.SHARED);
    }

    /** Is ready, closes its link, and has its reason told when it is asked to end. */
    private static final class LateWorker implements WorkerLauncher, WorkerLauncher.Worker {

        private final CompletableFuture<Integer> exited = new CompletableFuture<>();

        @Override
        public Worker launch(String name, Path socket, Placement placement) {
            Thread.ofVirtual().start(() -> live(socket));
            return this;
        }

        private static void live(Path socket) {
            try (Link link = Link.connect(socket)) {
                link.send(new Frame.Hello(1, "late"));
                link.receive();
                link.send(new Frame.Ready());
            } catch (IOException e) {
                // the test has failed
            }
        }

        @Override
        public long pid() {
            return 1;
        }

        @Override
        public CompletableFuture<Integer> exited() {
            return exited.copy();
        }

        @Override
        public void kill() {
            exited.complete(WorkerExit.STORE_AWAY.code());
        }
    }
}
