package io.millrace.audit;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What readers select lines of a trail by. Its hash is not checked: {@link Verification} does.
 *
 * @param sequence 1 for the first line of a trail
 * @param id Couchbase's number of the event, 0 if it has none
 * @param name the kind of the event, such as {@code user.set}
 * @param user who acted
 */
public record AuditLine(long sequence, Instant time, int id, String name, String user, String text) {

    /** @throws IllegalArgumentException if the text is not a line of a trail */
    public static AuditLine parse(String text) {
        try {
            JsonNode json = JsonMapper.shared().readTree(text);
            long sequence = json.path("seq").asLong(0);
            if (sequence < 1) {
                throw new IllegalArgumentException("A line of an audit trail has a member seq of at least 1: " + text);
            }
            return new AuditLine(
                    sequence,
                    Instant.parse(json.path("timestamp").asString("")),
                    json.path("id").asInt(0),
                    json.path("name").asString(""),
                    json.path("real_userid").path("user").asString(""),
                    text);
        } catch (JacksonException | DateTimeParseException e) {
            throw new IllegalArgumentException("It is not a line of an audit trail: " + text, e);
        }
    }
}
