package io.millrace.timers.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.timers.DeadLetter;
import io.millrace.timers.Timer;
import io.millrace.timers.TimerId;
import io.millrace.timers.TimersException;

/**
 * How a dead letter is written down: {@code <diedAt> <due> <bytes of id> <bytes of error>\n<id><error><record>}, the
 * record as {@link TimerRecord} has it.
 */
final class DeadLetterRecord {

    private DeadLetterRecord() {}

    /** Returns everything before the record. */
    static byte[] head(DeadLetter letter) {
        byte[] id = letter.timer().id().text().getBytes(UTF_8);
        byte[] error = DeadLetter.cut(letter.error()).getBytes(UTF_8);
        byte[] first = (letter.diedAt() + " " + letter.timer().due() + " " + id.length + " " + error.length + "\n")
                .getBytes(UTF_8);
        byte[] head = new byte[first.length + id.length + error.length];
        System.arraycopy(first, 0, head, 0, first.length);
        System.arraycopy(id, 0, head, first.length, id.length);
        System.arraycopy(error, 0, head, first.length + id.length, error.length);
        return head;
    }

    /** @throws TimersException {@code CORRUPT} */
    static DeadLetter parse(byte[] bytes) {
        int end = 0;
        while (end < bytes.length && bytes[end] != '\n') {
            end++;
        }
        try {
            String[] words = new String(bytes, 0, end, UTF_8).split(" ", -1);
            int idLength = Integer.parseInt(words[2]);
            int errorLength = Integer.parseInt(words[3]);
            TimerId id = TimerId.parse(new String(bytes, end + 1, idLength, UTF_8));
            String error = new String(bytes, end + 1 + idLength, errorLength, UTF_8);
            Timer timer = TimerRecord.parse(id, Long.parseLong(words[1]), bytes, end + 1 + idLength + errorLength);
            return new DeadLetter(timer, Long.parseLong(words[0]), error);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw TimersException.corrupt("A dead letter of timers is of an unknown form");
        }
    }
}
