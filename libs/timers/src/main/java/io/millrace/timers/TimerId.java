package io.millrace.timers;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * What makes a timer the same timer within its function: the callback and the reference. A timer that is created with
 * the id of another one replaces it.
 *
 * @param callback the name of a function of the handler, a JavaScript identifier
 * @param reference any text, also empty
 */
public record TimerId(String callback, String reference) {

    /** @throws TimersException when the callback is not a name, or both together are longer than the limit */
    public TimerId {
        if (callback.isEmpty() || callback.indexOf(SEPARATOR) >= 0) {
            throw TimersException.invalidId(
                    "The callback of a timer must be the name of a function: '" + callback + "'");
        }
        int chars = callback.length() + 1 + reference.length();
        if (chars > TimerLimits.MAX_TIMER_ID_BYTES / MAX_BYTES_PER_CHAR) {
            requireShort(callback + SEPARATOR + reference);
        }
    }

    private static void requireShort(String text) {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > TimerLimits.MAX_TIMER_ID_BYTES) {
            throw TimersException.invalidId("The callback and the reference of a timer have " + bytes
                    + " bytes, more than " + TimerLimits.MAX_TIMER_ID_BYTES);
        }
    }

    private static final int MAX_BYTES_PER_CHAR = 3;

    private static final char SEPARATOR = ':';

    /** Returns {@code <callback>:<reference>}. */
    public String text() {
        return callback + SEPARATOR + reference;
    }

    /** @throws TimersException when the text was not made by {@link #text()} */
    public static TimerId parse(String text) {
        int separator = text.indexOf(SEPARATOR);
        if (separator < 0) {
            throw TimersException.corrupt("Not the id of a timer: " + text);
        }
        return new TimerId(text.substring(0, separator), text.substring(separator + 1));
    }

    /** Returns the partition, 0 to {@code partitions - 1}: the last bits of {@code crc32(<callback>:<reference>)}. */
    int partition(int partitions) {
        CRC32 crc = new CRC32();
        crc.update(text().getBytes(StandardCharsets.UTF_8));
        return (int) crc.getValue() & (partitions - 1);
    }
}
