package io.millrace.eventing.runtime;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.SystemHandle;
import io.millrace.eventing.runtime.FunctionSpec.FeedBoundary;
import io.millrace.eventing.topics.TopicStore;
import io.millrace.eventing.topics.TopicStore.Beginning;
import io.millrace.eventing.topics.TopicStore.Entry;
import io.millrace.redis.Bytes;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.TopicFormat;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Messages of topics in Redis as functions see them. */
public final class TopicMessages {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String JSON_TYPE = "application/json";
    private static final String TEXT_TYPE = "text/";
    private static final char REPLACED = '\uFFFD';

    private TopicMessages() {}

    /** Opens the bucket whose vbuckets functions with a topic own and save positions of. It has no documents. */
    public static DocumentStore documents(DocumentStore all) {
        return all.with(SystemHandle.TOPICS);
    }

    /** Returns the consumer group of a deployment. */
    public static String group(FunctionSpec spec) {
        return "millrace:" + spec.functionId() + ':' + spec.instance();
    }

    /** Creates the consumer group of a deployment on a stream, at the feed boundary, unless it exists. */
    public static CompletableFuture<Void> join(FunctionSpec spec, TopicStore topics) {
        FunctionSpec.Source source = spec.source();
        Beginning beginning =
                source.boundary() == FeedBoundary.FROM_NOW ? new Beginning.Now() : new Beginning.Since(source.after());
        return topics.join(source.topic(), group(spec), beginning);
    }

    /** Returns the key of a message, or null for none. */
    public static @Nullable String key(Entry entry) {
        byte[] key = entry.fields().get(TopicFormat.KEY);
        return key == null ? null : Bytes.text(key);
    }

    /**
     * Returns a message of a channel as it is sent to workers. A channel sends only the content.
     *
     * @param millis when it arrived, in milliseconds since 1970
     * @param number distinguishes it from others of that millisecond
     */
    public static Event ofChannel(String topic, byte[] content, long millis, long number, int vbucket) {
        Entry entry = new Entry(millis, number, Map.of(TopicFormat.DATA, content));
        return event(topic, entry, vbucket, about(topic, entry, true));
    }

    /** Returns an entry of a stream as it is sent to workers. */
    public static Event event(String topic, Entry entry, int vbucket) {
        boolean headed = entry.fields().containsKey(TopicFormat.DATA);
        ObjectNode about = about(topic, entry, headed);
        about.put("entry", entry.id());
        return event(topic, entry, vbucket, about);
    }

    private static Event event(String topic, Entry entry, int vbucket, ObjectNode about) {
        about.put("time", Instant.ofEpochMilli(entry.millis()).toString());
        byte[] data = entry.fields().get(TopicFormat.DATA);
        byte[] given = entry.fields().get(TopicFormat.CONTENT_TYPE);
        String type = given == null ? "" : Bytes.text(given).toLowerCase(Locale.ROOT);
        byte[] body = data == null ? fields(entry) : json(data, type);
        byte[] content = body == null && data != null ? data : body == null ? new byte[0] : body;
        return new Event(
                Event.Kind.APPENDED,
                new Event.Key(Event.TOPIC_SCOPE, topic, entry.id(), vbucket),
                new Event.Version(entry.millis(), entry.number(), 0),
                new Event.Content(0, 0, body == null, content, JSON.writeValueAsBytes(about), null));
    }

    /** Returns the JSON of content, or null if it is bytes. */
    static byte @Nullable [] json(byte[] data, String type) {
        String text = utf8(data);
        if (text == null || !(type.isEmpty() || type.startsWith(JSON_TYPE) || type.startsWith(TEXT_TYPE))) {
            return null;
        }
        if (!type.startsWith(TEXT_TYPE) && isJson(text)) {
            return data;
        }
        return JSON.writeValueAsBytes(text);
    }

    /** Looks without making objects of the text, which the worker does. */
    private static boolean isJson(String text) {
        try (JsonParser parser = JSON.createParser(text)) {
            boolean any = parser.nextToken() != null;
            parser.skipChildren();
            return any && parser.nextToken() == null;
        } catch (JacksonException malformed) {
            return false;
        }
    }

    /** Returns bytes as text, or null if they are not UTF-8. */
    private static @Nullable String utf8(byte[] bytes) {
        String text = Bytes.text(bytes);
        return text.indexOf(REPLACED) < 0 || isUtf8(bytes) ? text : null;
    }

    /** Decoding strictly is slow, and needed only for text with the character that stands for what cannot be decoded. */
    private static boolean isUtf8(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException binary) {
            return false;
        }
    }

    /** Returns an entry that another program has written, as an object of texts. */
    private static byte[] fields(Entry entry) {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        new TreeMap<>(entry.fields()).forEach((name, value) -> all.put(name, Bytes.text(value)));
        return JSON.writeValueAsBytes(all);
    }

    private static ObjectNode about(String topic, Entry entry, boolean headed) {
        ObjectNode about = JsonNodeFactory.instance.objectNode();
        byte[] id = entry.fields().get(TopicFormat.ID);
        about.put("topic", topic).put("id", id == null ? entry.id() : Bytes.text(id));
        String key = key(entry);
        if (key != null) {
            about.put("key", key);
        }
        ObjectNode headers = about.putObject("headers");
        if (headed) {
            for (Map.Entry<String, byte[]> field : new TreeMap<>(entry.fields()).entrySet()) {
                if (field.getKey().startsWith(TopicFormat.HEADER)) {
                    headers.put(field.getKey().substring(TopicFormat.HEADER.length()), Bytes.text(field.getValue()));
                }
            }
        }
        return about;
    }
}
