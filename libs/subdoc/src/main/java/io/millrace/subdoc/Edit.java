package io.millrace.subdoc;

/**
 * A change of a document as a splice: a range of it is replaced by other bytes. The document itself is not changed;
 * {@link #toBytes} and {@link #writeTo} produce the new one.
 */
public final class Edit {

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
