package io.millrace.subdoc;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The result of one operation on one document: a status, and on success a value or an edit, or both. */
public final class Answer {

    private static final byte[] NO_VALUE = new byte[0];
    private static final Answer DONE = new Answer(Status.SUCCESS, NO_VALUE, 0, 0, null);
    private static final Answer[] FAILED = new Answer[Status.values().length];

    static {
        for (Status status : Status.values()) {
            FAILED[status.ordinal()] = new Answer(status, NO_VALUE, 0, 0, null);
        }
    }

    private final Status status;
    private final byte[] text;
    private final int start;
    private final int stop;
    private final @Nullable Edit edit;

    private Answer(Status status, byte[] text, int start, int stop, @Nullable Edit edit) {
        this.status = status;
        this.text = text;
        this.start = start;
        this.stop = stop;
        this.edit = edit;
    }

    public static Answer failed(Status status) {
        return FAILED[status.ordinal()];
    }

    public static Answer done() {
        return DONE;
    }

    /** A value that stands in the document. */
    public static Answer value(byte[] document, int start, int stop) {
        return new Answer(Status.SUCCESS, document, start, stop, null);
    }

    public static Answer number(long number) {
        byte[] text = Long.toString(number).getBytes(StandardCharsets.ISO_8859_1);
        return value(text, 0, text.length);
    }

    public static Answer edited(Edit edit) {
        return new Answer(Status.SUCCESS, NO_VALUE, 0, 0, edit);
    }

    /** The same value, and an edit. */
    public Answer with(Edit change) {
        return new Answer(status, text, start, stop, change);
    }

    public Status status() {
        return status;
    }

    /** Returns a copy of the value as it is spelt in the document; empty when the operation gives none. */
    public byte[] value() {
        return start == stop ? NO_VALUE : Arrays.copyOfRange(text, start, stop);
    }

    /** Returns how the document changes; null when the operation failed or changes nothing. */
    public @Nullable Edit edit() {
        return edit;
    }
}
