package io.millrace.eventing.http.topics;

import io.millrace.eventing.runtime.TopicMessages;
import io.millrace.eventing.topics.TopicFollowers.Page;
import io.millrace.eventing.topics.TopicStore.Entry;
import io.millrace.workerprotocol.Event;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;

/** Server-sent events of a topic, as bytes. */
final class TopicEvents {

    /** For a client that has had nothing for a while. */
    static final byte[] HEARTBEAT = bytes(": alive\n\n");

    private TopicEvents() {}

    /** Where the client is before its first message, so that it continues there after a disconnection. */
    static byte[] following(String id) {
        return bytes("event: following\nid: %s\ndata: {}\n\n".formatted(id));
    }

    static byte[] page(String topic, Page page) {
        StringBuilder text = new StringBuilder(page.gap() ? "event: gap\ndata: {}\n\n" : "");
        for (Entry entry : page.entries()) {
            text.append("id: ").append(entry.id()).append("\ndata: ");
            message(text, topic, entry);
            text.append("\n\n");
        }
        return bytes(text.toString());
    }

    private static void message(StringBuilder text, String topic, Entry entry) {
        Event.Content content = TopicMessages.event(topic, entry, 0).content();
        if (content.binary()) {
            text.append("{\"base64\":\"")
                    .append(Base64.getEncoder().encodeToString(content.body()))
                    .append('"');
        } else {
            // another program may have written its JSON on several lines, which would end the event
            text.append("{\"message\":")
                    .append(json(content.body()).replace('\r', ' ').replace('\n', ' '));
        }
        text.append(",\"meta\":")
                .append(json(Objects.requireNonNull(content.userXattrs())))
                .append('}');
    }

    private static String json(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
