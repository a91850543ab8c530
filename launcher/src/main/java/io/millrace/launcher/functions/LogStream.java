package io.millrace.launcher.functions;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The lines of a function's log, as the server sends them: server-sent events with one JSON object each. */
record LogStream(InputStream events) {

    private static final String DATA = "data:";

    /** Calls a consumer with each line until the stream ends. */
    void forEach(Consumer<String> consumer) throws IOException {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(events, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (line.startsWith(DATA)) {
                    JsonNode entry = JsonMapper.shared().readTree(line.substring(DATA.length()));
                    consumer.accept("%s [%s] %s"
                            .formatted(
                                    entry.path("time").asString(),
                                    entry.path("level").asString(),
                                    entry.path("text").asString()));
                }
            }
        }
    }
}
