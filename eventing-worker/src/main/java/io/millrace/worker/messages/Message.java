package io.millrace.worker.messages;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way to a topic.
 *
 * @param id the same whenever the function handles the same event again, so that a consumer can drop duplicates
 * @param key messages of the same key belong together; null for none
 * @param contentType its media type
 */
public record Message(
        String id, @Nullable String key, String contentType, Map<String, String> headers, byte[] content) {

    /** Returns about how many bytes it takes. */
    public long bytes() {
        long headerChars = headers.entrySet().stream()
                .mapToLong(
                        header -> header.getKey().length() + header.getValue().length())
                .sum();
        return content.length + headerChars + (key == null ? 0 : key.length());
    }
}
