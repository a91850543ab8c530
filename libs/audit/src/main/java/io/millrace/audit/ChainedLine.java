package io.millrace.audit;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A line of a trail. Its last member {@code hash} is the SHA-256 of the text before it; the text contains the hash of the
 * line before in {@code prev}, so that no line can be changed, moved or left out without changing all that follow.
 *
 * @param sequence 1 for the first line of a trail
 */
record ChainedLine(long sequence, String previous, String hash, String text) {

    /** {@code prev} of the first line of a trail. */
    static final String START = "0".repeat(64);

    private static final String BEGIN = "{\"seq\":";
    private static final String HASH = ",\"hash\":\"";
    private static final int TAIL_CHARS = HASH.length() + START.length() + "\"}".length();

    private static final JsonMapper JSON = JsonMapper.shared();

    /** Returns the line that follows another one, or the first one if there is none. */
    static ChainedLine after(@Nullable ChainedLine before, AuditEvent event, String service, Instant time) {
        long sequence = before == null ? 1 : before.sequence() + 1;
        String previous = before == null ? START : before.hash();
        ObjectNode json = JSON.createObjectNode();
        json.put("seq", sequence).put("timestamp", time.toString()).put("service", service);
        if (event.kind().id() != 0) {
            json.put("id", event.kind().id());
        }
        json.put("name", event.kind().name());
        json.putObject("real_userid")
                .put("domain", event.actor().domain())
                .put("user", event.actor().name());
        json.put("method", event.actor().method())
                .put("remote", event.actor().address())
                .put("resource", event.resource());
        json.put("outcome", event.outcome().name().toLowerCase(Locale.ROOT));
        if (!event.reason().isEmpty()) {
            json.put("reason", event.reason());
        }
        if (event.leftOut() > 0) {
            json.put("left_out", event.leftOut());
        }
        json.put("request", event.requestId()).put("prev", previous);
        String open = JSON.writeValueAsString(json);
        String covered = open.substring(0, open.length() - 1);
        String hash = hash(covered);
        return new ChainedLine(sequence, previous, hash, covered + HASH + hash + "\"}");
    }

    /** Returns the sequence of a line without reading the rest of it; 0 if it is not a line of a trail. */
    static long sequenceOf(String text) {
        long sequence = 0;
        if (text.startsWith(BEGIN)) {
            for (int at = BEGIN.length(); at < text.length() && Character.digit(text.charAt(at), 10) >= 0; at++) {
                sequence = sequence * 10 + Character.digit(text.charAt(at), 10);
            }
        }
        return sequence;
    }

    /** @throws IllegalArgumentException if the text is not such a line, or its hash is not that of its content */
    static ChainedLine parse(String text) {
        int tail = text.length() - TAIL_CHARS;
        if (tail < 1 || !text.startsWith(HASH, tail) || !text.endsWith("\"}")) {
            throw new IllegalArgumentException("it is not a line of an audit trail");
        }
        String covered = text.substring(0, tail);
        String hash = text.substring(tail + HASH.length(), text.length() - 2);
        if (!MessageDigest.isEqual(
                hash.getBytes(StandardCharsets.US_ASCII), hash(covered).getBytes(StandardCharsets.US_ASCII))) {
            throw new IllegalArgumentException("it was changed: its hash is not that of its content");
        }
        try {
            JsonNode json = JSON.readTree(text);
            return new ChainedLine(json.path("seq").asLong(), json.path("prev").asString(""), hash, text);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("it is not JSON", e);
        }
    }

    private static String hash(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java platform has SHA-256", e);
        }
    }
}
