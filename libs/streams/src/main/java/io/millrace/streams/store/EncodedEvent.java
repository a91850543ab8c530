package io.millrace.streams.store;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An event as it is stored.
 *
 * @param type the case of the event
 * @param data JSON text, kept byte for byte; a JSON string when it is compressed
 * @param meta JSON text about the event, or null
 * @param dataEncoding how the data are encoded
 * @param metaEncoding how the meta are encoded
 * @param time when the event happened
 * @param correlationId the conversation that the event belongs to, or null
 * @param causationId what led to the event, or null
 */
public record EncodedEvent(
        String type,
        String data,
        @Nullable String meta,
        Encoding dataEncoding,
        Encoding metaEncoding,
        Instant time,
        @Nullable String correlationId,
        @Nullable String causationId) {

    /** How JSON is stored; the numbers are Equinox's. */
    public enum Encoding {
        JSON(0),
        /** Raw deflate (RFC 1951), as a string of Base64. */
        DEFLATE(1),
        /** Brotli (RFC 7932), as a string of Base64; recognized, but neither read nor written. */
        BROTLI(2);

        private final int number;

        Encoding(int number) {
            this.number = number;
        }

        /** Returns its number in stored events. */
        public int number() {
            return number;
        }

        public static Encoding of(int number) {
            for (Encoding encoding : values()) {
                if (encoding.number == number) {
                    return encoding;
                }
            }
            throw StreamsException.corrupt("An event has the unknown encoding " + number);
        }
    }

    public EncodedEvent {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(data, "data");
        Objects.requireNonNull(time, "time");
    }

    public static EncodedEvent of(String type, String data, Instant time) {
        return new EncodedEvent(type, data, null, Encoding.JSON, Encoding.JSON, time, null, null);
    }

    /** Returns a copy with other data. */
    public EncodedEvent withData(String other, Encoding encoding) {
        return new EncodedEvent(type, other, meta, encoding, metaEncoding, time, correlationId, causationId);
    }

    /** Returns a copy with meta. */
    public EncodedEvent withMeta(@Nullable String other, Encoding encoding) {
        return new EncodedEvent(type, data, other, dataEncoding, encoding, time, correlationId, causationId);
    }
}
