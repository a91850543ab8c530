package io.millrace.handler.host;

import io.millrace.handler.HandlerSpec;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A call of {@code publish()}, with checked arguments.
 *
 * @param binding the alias of a topic binding, one of {@link HandlerSpec#topics()}
 * @param key messages of the same key are in order where the topic has partitions; null for none
 * @param headers names and values, as the code spelt them
 */
public record PublishCall(
        String binding, Type type, byte[] content, @Nullable String key, Map<String, String> headers) {

    /** What a message is. */
    public enum Type {
        JSON("application/json"),
        TEXT("text/plain"),
        BYTES("application/octet-stream");

        private final String mediaType;

        Type(String mediaType) {
            this.mediaType = mediaType;
        }

        /** Returns its name in RFC 2046. */
        public String mediaType() {
            return mediaType;
        }
    }
}
