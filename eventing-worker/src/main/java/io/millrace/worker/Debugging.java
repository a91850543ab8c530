package io.millrace.worker;

import io.millrace.handler.Debugger;
import io.millrace.handler.Handler;
import io.millrace.handler.HandlerRejected;
import io.millrace.handler.host.NoHost;
import io.millrace.worker.trial.Answers;
import io.millrace.worker.trial.Trial;
import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.Link;
import io.millrace.workerprotocol.WorkerExit;
import io.millrace.workerprotocol.WorkerSetup;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Runs code on one event on trial, for as long as a client of the debugger wants; the service ends the process when it is late. */
final class Debugging {

    private final ProcessResources process;
    private final Link link;
    private final Exit exit;

    /** Messages come on the thread that must notice the end of the link, and the debugger may take long for one. */
    private final ExecutorService messages = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("debugger-messages").factory());

    private volatile @Nullable Debugger debugger;

    Debugging(ProcessResources process, Link link, Exit exit) {
        this.process = process;
        this.link = link;
        this.exit = exit;
    }

    /** Says when messages may come, waits until the client lets the code begin, and sends how it ended. */
    void run(WorkerSetup setup, Frame.Debug attempt) throws IOException {
        switch (process.engine().compile(HandlerCode.spec(setup), new NoHost())) {
            case HandlerRejected rejected ->
                link.send(new Frame.Rejected(rejected.message(), rejected.line(), rejected.column()));
            case Handler handler -> {
                try (Debugger opened = new Debugger(this::toClient, why -> exit.now(WorkerExit.STUCK, why, null))) {
                    debugger = opened;
                    link.send(new Frame.Debugging());
                    opened.awaitBegin();
                    run(opened.follow(handler), setup, attempt);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    private void run(Handler handler, WorkerSetup setup, Frame.Debug attempt) throws IOException {
        Answers answers = Answers.of(JsonMapper.shared().readTree(attempt.answers()), true);
        try (ProcessResources.Use store = process.open(setup.redisUri());
                Trial trial = new Trial(handler, setup, store.documents(), answers, null, exit)) {
            link.send(new Frame.Tried(Tryout.bytes(trial.handle(attempt.event()))));
        }
    }

    private void toClient(String message) {
        try {
            link.send(new Frame.DebugMessage(message));
        } catch (IOException e) {
            exit.now(WorkerExit.PEER_GONE, "The link broke", e);
        }
    }

    /** Hands a message of the client to the debugger, and does not wait. */
    void receive(String message) {
        messages.execute(() -> {
            Debugger opened = debugger;
            if (opened != null) {
                try {
                    opened.receive(message);
                } catch (IOException e) {
                    exit.now(WorkerExit.DEFECT, "The debugger does not take a message", e);
                }
            }
        });
    }
}
