package io.millrace.timers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a document says about one document timer that waits for it (seed document 000, "Timer Events"), so that the timer
 * can be made again from the document when the timer store lost it.
 *
 * <p>The traces of a function in one document are a text, {@code <instance> <callback>:<due>:<opaque>;...}, in the system
 * attribute {@link #ATTRIBUTE} under the function's id. Those of another instance mean nothing any more.
 *
 * @param due the millisecond since 1970 for which the timer was created
 * @param opaque as in {@link NewTimer}
 */
public record TimerTrace(long due, String opaque) {

    /** The extended attribute of the document that holds them, an object by function id. */
    public static final String ATTRIBUTE = "_timers";

    /**
     * Returns the timer that this is the trace of.
     *
     * @param context of the timer: that of a document timer is the id of the document, as JSON
     */
    public NewTimer timer(String callback, String document, String context) {
        return new NewTimer(new TimerId(callback, document), due, NewTimer.NEVER_STALE, opaque, context);
    }

    /** Returns the text of an instance's traces by callback; it needs no escapes in JSON. */
    public static String text(String instance, Map<String, TimerTrace> traces) {
        StringBuilder text = new StringBuilder(instance).append(' ');
        traces.forEach((callback, trace) -> text.append(callback)
                .append(':')
                .append(trace.due)
                .append(':')
                .append(URLEncoder.encode(trace.opaque, UTF_8))
                .append(';'));
        return text.toString();
    }

    /** Returns an instance's traces by callback; none when the text is another instance's or of an unknown form. */
    public static Map<String, TimerTrace> parse(String text, String instance) {
        Map<String, TimerTrace> traces = new LinkedHashMap<>();
        int blank = text.indexOf(' ');
        if (blank < 0 || !text.substring(0, blank).equals(instance)) {
            return traces;
        }
        for (String each : text.substring(blank + 1).split(";")) {
            String[] words = each.split(":", -1);
            if (words.length == 3 && !words[1].isEmpty() && words[1].chars().allMatch(Character::isDigit)) {
                traces.put(words[0], new TimerTrace(Long.parseLong(words[1]), URLDecoder.decode(words[2], UTF_8)));
            }
        }
        return traces;
    }
}
