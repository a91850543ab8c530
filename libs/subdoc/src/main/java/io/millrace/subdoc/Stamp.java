package io.millrace.subdoc;

/**
 * A place in a new document where the store writes the version that it gives it, as 18 ASCII characters
 * {@code 0x%016x}. Until then {@code 0x0000000000000000} stands there.
 *
 * @param part which bytes
 * @param offset where in them the 18 characters begin
 */
public record Stamp(Part part, int offset, Form form) {

    /** How many bytes a stamp replaces. */
    public static final int LENGTH = 18;

    /** What the offset counts in. */
    public enum Part {
        BODY,
        USER_XATTRS,
        SYSTEM_XATTRS
    }

    /** What is written. */
    public enum Form {
        /** The new CAS with its eight bytes in reverse order, as the macro {@code ${Mutation.CAS}} has it. */
        CAS_SWAPPED,
        /** The new seqno. */
        SEQNO
    }
}
