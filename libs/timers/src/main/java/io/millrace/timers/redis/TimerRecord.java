package io.millrace.timers.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.timers.NewTimer;
import io.millrace.timers.Timer;
import io.millrace.timers.TimerId;
import io.millrace.timers.TimersException;
import io.millrace.traces.TraceContext;
import java.net.URLDecoder;
import java.net.URLEncoder;
import org.jspecify.annotations.Nullable;

/**
 * How a timer is written down: {@code <version><attributes>\n<context>}. An attribute is a blank, a letter and a value;
 * it is there only when it says something: {@code d} for what moment the timer was created when it is due at another
 * one, {@code f} failures, {@code s} stale after, {@code o} opaque, {@code u} when the context is undefined. The trace is the
 * beginning of the opaque word, behind a control character that no word has there: earlier programs read no other attributes.
 */
final class TimerRecord {

    private static final char TRACED = '\u0001';

    private TimerRecord() {}

    /** Returns everything behind the version. */
    static byte[] rest(NewTimer timer) {
        String context = timer.context();
        return (attributes(Timer.first(timer, 0)) + '\n' + (context == null ? "" : context)).getBytes(UTF_8);
    }

    static String attributes(Timer timer) {
        StringBuilder text = new StringBuilder();
        if (timer.firstDue() != timer.due()) {
            text.append(" d").append(timer.firstDue());
        }
        if (timer.failures() != 0) {
            text.append(" f").append(timer.failures());
        }
        if (timer.staleAfter() != NewTimer.NEVER_STALE) {
            text.append(" s").append(timer.staleAfter());
        }
        String word = timer.trace().isEmpty() ? timer.opaque() : TRACED + timer.trace() + timer.opaque();
        if (!word.isEmpty()) {
            text.append(" o").append(URLEncoder.encode(word, UTF_8));
        }
        if (timer.context() == null) {
            text.append(" u");
        }
        return text.toString();
    }

    /** @throws TimersException {@code CORRUPT} */
    static Timer parse(TimerId id, long due, byte[] record) {
        return parse(id, due, record, 0);
    }

    /** Reads the record that begins at an offset and goes to the end. */
    static Timer parse(TimerId id, long due, byte[] bytes, int from) {
        int end = from;
        while (end < bytes.length && bytes[end] != '\n') {
            end++;
        }
        if (end == bytes.length) {
            throw corrupt(id);
        }
        String[] words = new String(bytes, from, end - from, UTF_8).split(" ", -1);
        long firstDue = due;
        int failures = 0;
        long staleAfter = NewTimer.NEVER_STALE;
        String opaque = "";
        String trace = "";
        @Nullable String context = new String(bytes, end + 1, bytes.length - end - 1, UTF_8);
        try {
            for (int i = 1; i < words.length; i++) {
                String value = words[i].substring(1);
                switch (words[i].charAt(0)) {
                    case 'd' -> firstDue = Long.parseLong(value);
                    case 'f' -> failures = Integer.parseInt(value);
                    case 's' -> staleAfter = Long.parseLong(value);
                    case 'o' -> {
                        String word = URLDecoder.decode(value, UTF_8);
                        int begin = word.indexOf(TRACED) == 0 ? 1 + TraceContext.TEXT_CHARS : 0;
                        trace = begin == 0 ? "" : word.substring(1, begin);
                        opaque = word.substring(begin);
                    }
                    case 'u' -> context = null;
                    default -> throw corrupt(id);
                }
            }
            return new Timer(id, due, firstDue, Long.parseLong(words[0]), failures, staleAfter, opaque, context, trace);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw corrupt(id);
        }
    }

    private static TimersException corrupt(TimerId id) {
        return TimersException.corrupt("The record of timer " + id.text() + " is of an unknown form");
    }
}
