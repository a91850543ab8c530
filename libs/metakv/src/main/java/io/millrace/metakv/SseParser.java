package io.millrace.metakv;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parses the bytes of a {@code text/event-stream} (HTML standard, section 9.2). Not thread-safe. */
final class SseParser {

    /** An event; the id is null if the event sets none. */
    record SseEvent(String name, String data, @Nullable String id) {}

    /** The largest value in Base64, plus the rest of its JSON. */
    static final int MAX_LINE_BYTES = MetakvLimits.MAX_VALUE_BYTES / 3 * 4 + 16 * 1024;

    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final StringBuilder data = new StringBuilder();
    private String name = "message";
    private @Nullable String id;

    /** Adds bytes and returns the events that they complete. */
    List<SseEvent> feed(byte[] bytes) {
        var events = new ArrayList<SseEvent>();
        int start = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                append(bytes, start, i);
                endLine(events);
                start = i + 1;
            }
        }
        append(bytes, start, bytes.length);
        return events;
    }

    private void append(byte[] bytes, int from, int to) {
        if (line.size() + to - from > MAX_LINE_BYTES) {
            throw MetakvException.of(
                    MetakvException.Code.UNEXPECTED,
                    "A line of the watch is longer than " + MAX_LINE_BYTES + " bytes.");
        }
        line.write(bytes, from, to - from);
    }

    private void endLine(List<SseEvent> events) {
        String text = line.toString(StandardCharsets.UTF_8);
        line.reset();
        if (text.endsWith("\r")) {
            text = text.substring(0, text.length() - 1);
        }
        if (text.isEmpty()) {
            if (!data.isEmpty()) {
                events.add(new SseEvent(name, data.toString(), id));
            }
            data.setLength(0);
            name = "message";
            id = null;
            return;
        }
        int colon = text.indexOf(':');
        String field = colon < 0 ? text : text.substring(0, colon);
        String value = colon < 0 ? "" : text.substring(colon + 1);
        value = value.startsWith(" ") ? value.substring(1) : value;
        switch (field) {
            case "event" -> name = value;
            case "data" -> data.append(data.isEmpty() ? "" : "\n").append(value);
            case "id" -> id = value;
            default -> {} // comments, retry, and unknown fields
        }
    }
}
