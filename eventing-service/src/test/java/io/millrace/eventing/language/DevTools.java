package io.millrace.eventing.language;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client of the DevTools protocol. */
final class DevTools implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 120;

    private final HttpClient http = HttpClient.newHttpClient();
    private final BlockingQueue<JsonNode> messages = new LinkedBlockingQueue<>();
    private final WebSocket socket;
    private int calls;

    private DevTools(String url) {
        this.socket = http.newWebSocketBuilder()
                .buildAsync(URI.create(url), new Receiver())
                .join();
    }

    static DevTools connect(String url) {
        return new DevTools(url);
    }

    /** Calls a method and returns its result. */
    JsonNode call(String method, String parameters) throws InterruptedException {
        int id = ++calls;
        socket.sendText("{\"id\": %d, \"method\": \"%s\", \"params\": %s}".formatted(id, method, parameters), true)
                .join();
        for (BlockingQueue<JsonNode> events = new LinkedBlockingQueue<>(); ; ) {
            JsonNode message = next();
            if (message.path("id").asInt() == id) {
                messages.addAll(events);
                return message.path("result");
            }
            events.add(message);
        }
    }

    /** Returns the value of an expression in a frame of the code that is stopped. */
    JsonNode evaluate(String frame, String expression) throws InterruptedException {
        return call(
                        "Debugger.evaluateOnCallFrame",
                        "{\"callFrameId\": \"%s\", \"expression\": \"%s\"}".formatted(frame, expression))
                .at("/result/value");
    }

    /** Waits for the next event of a kind. */
    JsonNode event(String method) throws InterruptedException {
        while (true) {
            JsonNode message = next();
            if (message.path("method").asString("").equals(method)) {
                return message.path("params");
            }
        }
    }

    private JsonNode next() throws InterruptedException {
        return Objects.requireNonNull(messages.poll(PATIENCE_SECONDS, TimeUnit.SECONDS), "The debugger is silent");
    }

    @Override
    public void close() {
        socket.abort();
        http.close();
    }

    private final class Receiver implements WebSocket.Listener {

        private final StringBuilder text = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket source, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                messages.add(JsonMapper.shared().readTree(text.toString()));
                text.setLength(0);
            }
            source.request(1);
            return null;
        }
    }
}
