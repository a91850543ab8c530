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

    /**
     * A change of a document as a splice: a range of it is replaced by other bytes. The document itself is not changed;
     * {@link #toBytes} and {@link #writeTo} produce the new one.
     */
    public static final class Edit {

        private final byte[] document;
        private final int from;
        private final int to;
        private final byte[] insertion;

        public Edit(byte[] document, int from, int to, byte[] insertion) {
            this.document = document;
            this.from = from;
            this.to = to;
            this.insertion = insertion;
        }

        /** Returns the length of the new document in bytes. */
        public int length() {
            return document.length - (to - from) + insertion.length;
        }

        /** Writes the new document to {@code target} from {@code at} on; there must be room for {@link #length} bytes. */
        public void writeTo(byte[] target, int at) {
            System.arraycopy(document, 0, target, at, from);
            System.arraycopy(insertion, 0, target, at + from, insertion.length);
            System.arraycopy(document, to, target, at + from + insertion.length, document.length - to);
        }

        /** Returns the new document. */
        public byte[] toBytes() {
            byte[] bytes = new byte[length()];
            writeTo(bytes, 0);
            return bytes;
        }
    }
}
