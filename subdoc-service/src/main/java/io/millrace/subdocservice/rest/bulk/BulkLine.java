package io.millrace.subdocservice.rest.bulk;

import io.millrace.documents.Limits;
import io.millrace.json.JsonCursor;
import io.millrace.json.MalformedJson;
import io.millrace.subdocservice.rest.error.ApiError;
import io.millrace.subdocservice.rest.request.ExpiryRequest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One line of a bulk load: {@code {"id": "...", "value": ..., "expiry": ...}}, the last one optional. */
sealed interface BulkLine {

    /**
     * A valid line.
     *
     * @param value the bytes of the value as in the line
     * @param expiry the expiry for {@link ExpiryRequest#parse}, or null
     */
    record Entry(String id, byte[] value, @Nullable String expiry) implements BulkLine {}

    /** A line that is not valid, with the id if it is readable. */
    record Bad(ApiError error, @Nullable String id, String reason) implements BulkLine {}

    /** Reads {@code text[from]} to {@code text[to - 1]}. */
    static BulkLine parse(byte[] text, int from, int to) {
        return new Reader(text, from, to).read();
    }

    /** Reads one line member by member. */
    final class Reader {

        private final byte[] text;
        private final JsonCursor cursor;
        private @Nullable String id;
        private byte @Nullable [] value;
        private @Nullable String expiry;

        private Reader(byte[] text, int from, int to) {
            this.text = text;
            this.cursor = new JsonCursor(text, from, to);
        }

        private BulkLine read() {
            try {
                cursor.beginObject();
                while (cursor.nextMember()) {
                    @Nullable Bad bad = member(cursor.readName());
                    if (bad != null) {
                        return bad;
                    }
                }
                cursor.end();
            } catch (MalformedJson e) {
                return bad(ApiError.INVALID_JSON, e.detail() + " at column " + e.column() + ".");
            }
            if (id == null) {
                return bad(ApiError.INVALID_BODY, "The member \"id\" is missing.");
            }
            if (value == null) {
                return bad(ApiError.INVALID_BODY, "The member \"value\" is missing.");
            }
            if (value.length > Limits.MAX_DOCUMENT_BYTES) {
                return bad(
                        ApiError.DOCUMENT_TOO_LARGE,
                        "The value exceeds the limit of %,d bytes.".formatted(Limits.MAX_DOCUMENT_BYTES));
            }
            return new Entry(id, value, expiry);
        }

        private @Nullable Bad member(String name) throws MalformedJson {
            switch (name) {
                case "id" -> {
                    if (id != null) {
                        return twice(name);
                    }
                    if (cursor.peek() != '"') {
                        return bad(ApiError.INVALID_ID, "The member \"id\" must be a string.");
                    }
                    id = cursor.readString();
                    if (!StandardCharsets.UTF_8.newEncoder().canEncode(id)) {
                        return bad(ApiError.INVALID_ID, "The id has an unpaired surrogate.");
                    }
                }
                case "value" -> {
                    if (value != null) {
                        return twice(name);
                    }
                    value = bytesOfValue();
                }
                case "expiry" -> {
                    if (expiry != null) {
                        return twice(name);
                    }
                    boolean quoted = cursor.peek() == '"';
                    expiry = quoted ? cursor.readString() : new String(bytesOfValue(), StandardCharsets.UTF_8);
                }
                default -> {
                    return bad(
                            ApiError.INVALID_BODY,
                            "The member \"%s\" does not exist; a line has \"id\", \"value\" and \"expiry\"."
                                    .formatted(name));
                }
            }
            return null;
        }

        private byte[] bytesOfValue() throws MalformedJson {
            cursor.peek();
            int start = cursor.position();
            cursor.skipValue();
            return Arrays.copyOfRange(text, start, cursor.position());
        }

        private Bad twice(String name) {
            return bad(ApiError.INVALID_BODY, "The member \"%s\" occurs twice.".formatted(name));
        }

        private Bad bad(ApiError error, String reason) {
            return new Bad(error, id, reason);
        }
    }
}
