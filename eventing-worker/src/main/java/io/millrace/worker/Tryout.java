package io.millrace.worker;

import io.millrace.handler.Handler;
import io.millrace.handler.HandlerRejected;
import io.millrace.handler.host.NoHost;
import io.millrace.worker.trial.Answers;
import io.millrace.worker.trial.Trial;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.Link;
import io.millrace.workerprotocol.WorkerExit;
import io.millrace.workerprotocol.WorkerSetup;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Runs code on events on trial, for the service: each event finds the documents as they are, and changes none of them. */
final class Tryout {

    private final ProcessResources process;
    private final Link link;
    private final Exit exit;

    // guarded by this
    private boolean ended;
    private @Nullable Trial running;

    Tryout(ProcessResources process, Link link, Exit exit) {
        this.process = process;
        this.link = link;
        this.exit = exit;
    }

    /** Sends the outcome of each event. For a thread with the stack of handlers. */
    void run(WorkerSetup setup, Frame.Try attempt) throws IOException {
        NoHost host = new NoHost() {
            @Override
            public void stuck(String why) {
                exit.now(WorkerExit.STUCK, why, null);
            }
        };
        switch (process.engine().compile(HandlerCode.spec(setup), host)) {
            case HandlerRejected rejected ->
                link.send(new Frame.Rejected(rejected.message(), rejected.line(), rejected.column()));
            case Handler handler -> {
                JsonNode given = JsonMapper.shared().readTree(attempt.answers());
                Answers answers =
                        given.path("record").asBoolean(false) ? Answers.recording(given) : Answers.of(given, true);
                try (ProcessResources.Use store = process.open(setup.redisUri());
                        Trial trial = new Trial(handler, setup, store.documents(), answers, null, exit)) {
                    for (Event event : attempt.events()) {
                        if (!begin(trial)) {
                            return;
                        }
                        link.send(new Frame.Tried(bytes(trial.handle(event))));
                        trial.reset();
                    }
                } finally {
                    begin(null);
                }
            }
        }
    }

    private synchronized boolean begin(@Nullable Trial trial) {
        running = trial;
        return !ended;
    }

    /** Lets no further event begin, and stops the one that runs. */
    synchronized void end() {
        ended = true;
        Trial trial = running;
        if (trial != null) {
            trial.interrupt();
        }
    }

    /** Leaves effects out that would not fit into a frame with those of other events. */
    static byte[] bytes(ObjectNode shown) {
        byte[] json = shown.toString().getBytes(StandardCharsets.UTF_8);
        if (json.length <= WorkerLimits.MAX_TRIAL_BYTES) {
            return json;
        }
        shown.put("effects_left_out", shown.path("effects").size());
        shown.putArray("effects");
        return shown.toString().getBytes(StandardCharsets.UTF_8);
    }
}
