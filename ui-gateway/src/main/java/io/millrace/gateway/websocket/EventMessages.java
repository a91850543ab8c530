package io.millrace.gateway.websocket;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes messages of a WebSocket from the bytes of server-sent events: {@code {"event", "id", "data"}}, where the data is the JSON of
 * the event as it came. One for each stream; not thread-safe.
 */
final class EventMessages {

    /** An event that is larger. */
    static final class TooLarge extends RuntimeException {

        private static final long serialVersionUID = 1L;

        TooLarge() {
            super("An event has more than %d bytes".formatted(WebSocketLimits.MAX_EVENT_BYTES));
        }
    }

    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final StringBuilder data = new StringBuilder();
    private @Nullable String id;
    private String name = "";
    private int bytes;

    /** Returns the messages that these bytes complete; fails with {@link TooLarge}. */
    List<String> read(byte[] piece) {
        List<String> messages = new ArrayList<>();
        int begin = 0;
        for (int i = 0; i < piece.length; i++) {
            if (piece[i] == '\n') {
                add(piece, begin, i);
                begin = i + 1;
                endLine(messages);
            }
        }
        add(piece, begin, piece.length);
        return messages;
    }

    private void add(byte[] piece, int from, int to) {
        bytes += to - from;
        if (bytes > WebSocketLimits.MAX_EVENT_BYTES) {
            throw new TooLarge();
        }
        line.write(piece, from, to - from);
    }

    private void endLine(List<String> messages) {
        String text = line.toString(StandardCharsets.UTF_8);
        line.reset();
        if (text.isEmpty()) {
            if (!data.isEmpty()) {
                messages.add(message());
            }
            data.setLength(0);
            id = null;
            name = "";
            bytes = 0;
            return;
        }
        int colon = text.indexOf(':');
        String field = colon < 0 ? text : text.substring(0, colon);
        String value = colon < 0 ? "" : text.substring(text.startsWith(": ", colon) ? colon + 2 : colon + 1);
        switch (field) {
            case "event" -> name = value;
            case "id" -> id = value;
            case "data" -> data.append(data.isEmpty() ? "" : "\n").append(value);
            default -> {} // a comment, which keeps the connection alive
        }
    }

    private String message() {
        StringBuilder message = new StringBuilder(data.length() + 64)
                .append("{\"event\":")
                .append(quoted(name.isEmpty() ? "message" : name));
        if (id != null) {
            message.append(",\"id\":").append(quoted(id));
        }
        return message.append(",\"data\":").append(data).append('}').toString();
    }

    private static String quoted(String text) {
        return JsonMapper.shared().writeValueAsString(text);
    }
}
