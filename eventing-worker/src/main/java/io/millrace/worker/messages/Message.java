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

    /** The field of a stream's entry with the id of the message. */
    public static final String ID = "id";

    /** The field with the key. */
    public static final String KEY = "key";

    /** The field with the media type. */
    public static final String CONTENT_TYPE = "content_type";

    /** The field with the content. */
    public static final String DATA = "data";

    /** Before the name of a header in the name of its field. */
    public static final String HEADER = "header.";

    /** Returns about how many bytes it takes. */
    public long bytes() {
        long headerChars = headers.entrySet().stream()
                .mapToLong(
                        header -> header.getKey().length() + header.getValue().length())
                .sum();
        return content.length + headerChars + (key == null ? 0 : key.length());
    }
}
