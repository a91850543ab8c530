package io.millrace.traces;

/** The limits of traces. */
public final class TracesLimits {

    /** The most effects of one invocation that become spans. */
    public static final int MAX_EFFECTS = 100;

    /** The most spans that are kept of one trace. */
    public static final int MAX_SPANS = 500;

    /** The longest value of an attribute, and the longest error; longer ones are cut. */
    public static final int MAX_VALUE_CHARS = 500;

    /** The most buckets for which changes are selected separately. */
    public static final int MAX_BUCKETS = 1000;

    /** How many changes of a bucket are followed at once if none was for some time. */
    public static final int BURST = 5;

    private TracesLimits() {}

    /** Returns the beginning of a text that is too long. */
    public static String cut(String text) {
        return text.length() <= MAX_VALUE_CHARS ? text : text.substring(0, MAX_VALUE_CHARS - 1) + '…';
    }
}
