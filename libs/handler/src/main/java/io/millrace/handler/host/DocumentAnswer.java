package io.millrace.handler.host;

import io.millrace.handler.host.HandlerHost.StoredDocument;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The result of a {@link DocumentCall}. Results that code cannot expect are a {@link HostFailure} instead. */
public sealed interface DocumentAnswer {

    /**
     * The document of a GET.
     *
     * @param cas its version, unsigned
     * @param expiration when it expires, in seconds since 1970; 0 for never
     */
    record Found(StoredDocument document, long cas, long expiration) implements DocumentAnswer {}

    /**
     * A write was done.
     *
     * @param cas the new version, unsigned
     */
    record Written(long cas) implements DocumentAnswer {}

    /** @param count the member {@code count} after INCREMENT or DECREMENT */
    record Counted(long count, long cas) implements DocumentAnswer {}

    /**
     * What LOOKUP_IN found.
     *
     * @param values one per path: JSON text, or null where there is nothing
     */
    record Looked(List<byte @Nullable []> values, long cas) implements DocumentAnswer {}

    /** Nothing was done. */
    record Refused(Reason reason) implements DocumentAnswer {}

    /** Why nothing was done. */
    enum Reason {
        KEY_NOT_FOUND,
        KEY_ALREADY_EXISTS,
        CAS_MISMATCH,
        NOT_NUMBER,
        FIELD_NOT_FOUND,
        FIELD_ALREADY_EXISTS
    }
}
