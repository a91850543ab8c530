package io.millrace.documents;

/**
 * A place in what is written where the store puts the version that it gives the document: 18 ASCII characters
 * {@code 0x%016x} in place of the 18 that stand there.
 *
 * @param offset where in the part they begin; the part must be given with the write and be long enough
 */
public record VersionStamp(Part part, int offset, Form form) {

    /** How many bytes a stamp replaces. */
    public static final int BYTES = 18;

    /** What the offset counts in. */
    public enum Part {
        BODY,
        USER_XATTRS,
        SYSTEM_XATTRS
    }

    /** What is written. */
    public enum Form {
        /** The new CAS with its eight bytes in reverse order, as Couchbase's macro {@code ${Mutation.CAS}} has it. */
        CAS_SWAPPED,
        /** The new seqno. */
        SEQNO
    }

    public String text(long cas, long seqno) {
        return "0x%016x".formatted(form == Form.SEQNO ? seqno : Long.reverseBytes(cas));
    }
}
