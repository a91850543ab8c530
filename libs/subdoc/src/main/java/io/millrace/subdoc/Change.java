package io.millrace.subdoc;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to store, provided that the document has not changed meanwhile.
 *
 * @param tombstone whether a tombstone is to be stored, else a living document
 * @param creates whether the document is new: it takes nothing from what was there, not even flags, and may be stored
 *     only if there is still no document that the request may see
 * @param body the new body, or null when it stays as it is
 * @param json whether the body, new or old, is JSON
 * @param userXattrs the new user attributes, empty to drop them, or null when they stay as they are
 * @param systemXattrs the new system attributes, likewise
 * @param stamps where the new version is to be written
 */
public record Change(
        boolean tombstone,
        boolean creates,
        byte @Nullable [] body,
        boolean json,
        byte @Nullable [] userXattrs,
        byte @Nullable [] systemXattrs,
        List<Stamp> stamps) {

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
}
