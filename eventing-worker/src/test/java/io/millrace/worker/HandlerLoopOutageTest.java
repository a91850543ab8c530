package io.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.handler.InvocationResult;
import io.millrace.handler.host.HandlerHost;
import io.millrace.handler.host.HostFailure;
import io.millrace.timers.memory.MemoryTimerStore;
import io.millrace.worker.bindings.FaultyStore.Fate;
import io.millrace.worker.bindings.StoreQueue;
import io.millrace.worker.bindings.Time;
import io.millrace.worker.bindings.WriteBehind;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.Outcome;
import io.millrace.workerprotocol.WorkerExit;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Redis stays away, or full, for longer than a worker waits: it ends, and no event is to blame. */
@Timeout(60)
class HandlerLoopOutageTest extends LoopFixture {

    private static final Duration PATIENCE = Duration.ofMillis(50);

    private HandlerLoop startImpatient(Body body) {
        WriteBehind writes = new WriteBehind(
                new StoreQueue(store, new MemoryTimerStore(), Runnable::run), Time.SYSTEM, PATIENCE, counters);
        return start(Samples.setup(1).withExecutionTimeoutMillis(500), writes, host -> event -> {
            try {
                return body.run(event, host);
            } catch (HostFailure e) {
                return threw(String.valueOf(e.getMessage()));
            }
        });
    }

    private static InvocationResult threw(String message) {
        return new InvocationResult.Threw(message, 3, 5, "", 10);
    }

    private static InvocationResult write(Event event, HandlerHost host) throws HostFailure {
        host.upsert("target", event.id(), document("1"));
        return new InvocationResult.Success(10);
    }

    private static InvocationResult read(Event event, HandlerHost host) throws HostFailure {
        host.get("target", event.id());
        return new InvocationResult.Success(10);
    }

    /** Returns what has been reported by now and not read. */
    private List<Frame> reports() throws IOException {
        outbox.deployed(new Frame.Deployed(Outcome.success(1)));
        List<Frame> reports = new ArrayList<>();
        for (Frame frame = next(); !(frame instanceof Frame.Deployed); frame = next()) {
            reports.add(frame);
        }
        return reports;
    }

    @ParameterizedTest
    @CsvSource({"LOST, STORE_AWAY", "FULL, STORE_FULL"})
    void writeThatIsNotTaken_endsTheWorkerAfterWhatWasSettledIsReported(Fate fate, WorkerExit exit) throws Exception {
        HandlerLoop loop = startImpatient(HandlerLoopOutageTest::write);
        loop.submit(batch(1, 1));
        nextDone(1);
        store.fates(() -> fate);

        loop.submit(batch(2, 2, 3));
        loop.submit(batch(3, 4));

        await().until(() -> !exits.isEmpty());
        assertThat(exits).containsExactly(exit);
        assertThat(reports()).isEmpty();
    }

    @Test
    void invocationThatFailsBecauseOfAReadThatIsNotAnswered_endsTheWorker() throws Exception {
        store.fates(() -> Fate.LOST);
        HandlerLoop loop = startImpatient(HandlerLoopOutageTest::read);

        loop.submit(batch(1, 1));

        await().until(() -> !exits.isEmpty());
        assertThat(exits).containsExactly(WorkerExit.STORE_AWAY);
        assertThat(reports()).isEmpty();
    }

    @Test
    void handlerThatDealsWithAReadThatIsNotAnswered_isReported() throws Exception {
        store.fates(() -> Fate.LOST);
        HandlerLoop loop = startImpatient((event, host) -> {
            try {
                return read(event, host);
            } catch (HostFailure e) {
                return new InvocationResult.Success(10);
            }
        });

        loop.submit(batch(1, 1));

        assertThat(nextDone(1).outcomes()).allMatch(Outcome::ok);
        assertThat(exits).isEmpty();
    }

    @Test
    void handlerThatFailsByItself_isReported() throws Exception {
        HandlerLoop loop = startImpatient((event, host) -> {
            read(event, host);
            return threw("its own fault");
        });

        loop.submit(batch(1, 1));

        assertThat(nextDone(1).outcomes()).extracting(Outcome::result).containsExactly(Outcome.Result.THREW);
        assertThat(exits).isEmpty();
    }
}
