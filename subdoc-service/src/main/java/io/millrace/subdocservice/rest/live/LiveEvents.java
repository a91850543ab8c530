package io.millrace.subdocservice.rest.live;

import io.millrace.documents.Document;
import io.millrace.problemdetails.Problem;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.json.JsonMapper;

/** Server-sent events, as the HTML standard describes their text, that make up one piece of a response. */
final class LiveEvents {

    /** A line that clients leave out. */
    static final byte[] HEARTBEAT = ascii(": alive\n\n");

    /** What an event says of its document. */
    enum Kind {
        /** It is one of the first documents. */
        MATCH("match"),
        /** It has begun to match. */
        ENTER("enter"),
        /** It has changed and still matches. */
        CHANGE("change"),
        /** It has stopped to match, or is deleted. */
        LEAVE("leave");

        private final byte[] line;

        Kind(String name) {
            this.line = ascii("event: " + name + "\n");
        }
    }

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    void document(Kind kind, LivePosition position, byte[] data) {
        out.writeBytes(kind.line);
        id(position);
        data(data);
    }

    void leave(LivePosition position, Document document) {
        String reason = switch (document.state()) {
            case LIVE -> "unmatched";
            case DELETED -> "deleted";
            case EXPIRED -> "expired";
        };
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        data.writeBytes(head(document));
        data.writeBytes(ascii(",\"reason\":\"" + reason + "\"}"));
        document(Kind.LEAVE, position, data.toByteArray());
    }

    void caughtUp(LivePosition position) {
        out.writeBytes(ascii("event: caught-up\n"));
        id(position);
        data(ascii("{}"));
    }

    /** The last event: it says why there are no more. */
    void end(Problem problem) {
        out.writeBytes(ascii("event: end\n"));
        data(JsonMapper.shared().writeValueAsBytes(problem));
    }

    boolean isEmpty() {
        return out.size() == 0;
    }

    byte[] bytes() {
        return out.toByteArray();
    }

    private void id(LivePosition position) {
        out.writeBytes(ascii("id: " + position + '\n'));
    }

    private void data(byte[] json) {
        out.writeBytes(ascii("data: "));
        out.writeBytes(json);
        out.writeBytes(ascii("\n\n"));
    }

    /** Returns the beginning of the JSON object about a document. */
    static byte[] head(Document document) {
        String id = JsonMapper.shared().writeValueAsString(document.key().id());
        return "{\"id\":%s,\"cas\":\"%d\"".formatted(id, document.cas()).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
