package io.millrace.worker.cloudevents;

import io.millrace.worker.messages.Message;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import tools.jackson.databind.json.JsonMapper;

/** Writes messages as CloudEvents 1.0 in the JSON format, with everything about them in the body: structured mode. */
final class CloudEvent {

    static final String MEDIA_TYPE = "application/cloudevents+json; charset=utf-8";

    private static final String JSON = "application/json";
    private static final String TEXT = "text/plain";

    private CloudEvent() {}

    /**
     * Returns an event. Data that is JSON keeps its bytes.
     *
     * @param source who has published it, a URI reference
     * @param type what kind of event it is
     * @param time when it was published
     */
    static byte[] of(Message message, String source, String type, Instant time) {
        StringBuilder before = new StringBuilder("{\"specversion\":\"1.0\"");
        member(before, "id", message.id());
        member(before, "source", source);
        member(before, "type", type);
        String key = message.key();
        if (key != null && !key.isEmpty()) { // a subject is not empty
            member(before, "subject", key);
        }
        member(before, "time", time.truncatedTo(ChronoUnit.MILLIS).toString());
        member(before, "datacontenttype", message.contentType());
        ByteArrayOutputStream event = new ByteArrayOutputStream(before.length() + message.content().length + 16);
        event.writeBytes(bytes(before.toString()));
        switch (message.contentType()) {
            case JSON -> {
                event.writeBytes(bytes(",\"data\":"));
                event.writeBytes(message.content());
            }
            case TEXT ->
                event.writeBytes(bytes(",\"data\":" + quoted(new String(message.content(), StandardCharsets.UTF_8))));
            default ->
                event.writeBytes(
                        bytes(",\"data_base64\":\"" + Base64.getEncoder().encodeToString(message.content()) + '"'));
        }
        event.write('}');
        return event.toByteArray();
    }

    private static void member(StringBuilder json, String name, String value) {
        json.append(",\"").append(name).append("\":").append(quoted(value));
    }

    private static String quoted(String text) {
        return JsonMapper.shared().writeValueAsString(text);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
