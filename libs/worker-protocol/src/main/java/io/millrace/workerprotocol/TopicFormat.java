package io.millrace.workerprotocol;

import java.util.regex.Pattern;

/** How messages are stored in Redis: what workers write and functions with a topic as their source read. */
public final class TopicFormat {

    /** Functions reach no other keys and channels, whatever their topics are called. */
    private static final String PREFIX = "mr:topic:";

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

    /** The names that topics can have. */
    public static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.:-]{0,199}");

    private TopicFormat() {}
    /** Returns the key of the stream, or the name of the channel, of a topic. */
    public static String place(String topic) {
        return PREFIX + topic;
    }
}
