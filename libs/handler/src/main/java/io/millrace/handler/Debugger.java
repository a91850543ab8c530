package io.millrace.handler;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.graalvm.polyglot.io.MessageEndpoint;

/**
 * An engine of its own for one handler, whose code a client of the DevTools protocol follows: it stops before the first
 * statement, at breakpoints and at each step for as long as the client wants. Contexts have the rights of other handlers.
 */
public final class Debugger implements AutoCloseable {

    /** What a client says when it has set its breakpoints. */
    private static final String BEGIN = "\"Runtime.runIfWaitingForDebugger\"";

    /** The inspector passes nothing on of a part of the protocol that is not enabled, and clients may leave this out. */
    private static final String ENABLE = "{\"id\":-2041,\"method\":\"Runtime.enable\"}";

    /** Has the code stop before its first statement. */
    private static final String STOP = "{\"id\":-2042,\"method\":\"Debugger.pause\"}";

    /** Numbers of our own commands, which clients do not use: the answers are not for them. */
    private static final String ENABLE_ANSWERED = "\"id\":-2041";

    private static final String STOP_ANSWERED = "\"id\":-2042";

    private final Consumer<String> client;
    private final CompletableFuture<MessageEndpoint> inspector = new CompletableFuture<>();
    private final CompletableFuture<Void> begun = new CompletableFuture<>();
    private final HandlerEngine engine;

    /**
     * Starts the engine, which takes a second.
     *
     * @param client takes messages for the client, one after another
     * @param onStuck as for {@link HandlerEngine#start}
     */
    public Debugger(Consumer<String> client, Consumer<String> onStuck) {
        this.client = client;
        this.engine = HandlerEngine.debugged(
                (uri, peer) -> {
                    inspector.complete(peer);
                    return new ToClient();
                },
                onStuck);
    }

    /** Returns a handler in the engine of this debugger; its threads may only be opened after {@link #awaitBegin}. */
    public Handler follow(Handler handler) {
        return handler.in(engine);
    }

    /** Waits until a client says that the code may begin, or until the thread is interrupted. */
    public void awaitBegin() throws InterruptedException {
        try {
            begun.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("Nothing completes it with a failure", e);
        }
    }

    /** Takes a message of the client. Answers come while the code is stopped, and while it runs; one thread at a time calls this. */
    public void receive(String message) throws IOException {
        MessageEndpoint peer = inspector.join();
        boolean begins = !begun.isDone() && message.contains(BEGIN);
        if (begins) {
            peer.sendText(ENABLE);
        }
        peer.sendText(message);
        if (begins) {
            peer.sendText(STOP);
        }
    }

    @Override
    public void close() {
        engine.close();
    }

    /** The debugger's end of the connection. */
    private final class ToClient implements MessageEndpoint {

        @Override
        public void sendText(String text) {
            if (begun.isDone()) {
                client.accept(text);
            } else if (text.contains(STOP_ANSWERED)) {
                begun.complete(null);
            } else if (!text.contains(ENABLE_ANSWERED)) {
                client.accept(text);
            }
        }

        @Override
        public void sendBinary(ByteBuffer data) {
            throw new UnsupportedOperationException("The protocol has only texts");
        }

        @Override
        public void sendPing(ByteBuffer data) {
            // the connection to the client has pings of its own
        }

        @Override
        public void sendPong(ByteBuffer data) {
            // as above
        }

        @Override
        public void sendClose() {
            // the end of the worker says so
        }
    }
}
