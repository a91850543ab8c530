package io.millrace.subdocservice.rest.bulk;

import io.millrace.documents.Limits;
import java.time.Duration;

/** The limits of bulk loads, each with its unit. */
public final class BulkLimits {

    /** The longest line of a bulk load in bytes: the largest document, and room for its id and the JSON around them. */
    public static final int MAX_BULK_LINE_BYTES = Limits.MAX_DOCUMENT_BYTES + 4096;

    /** How many writes of one bulk load may be in flight before it stops reading. */
    public static final int MAX_BULK_WRITES_IN_FLIGHT = 1024;

    /** How many bytes of documents of one bulk load may be in flight before it stops reading. */
    public static final long MAX_BULK_BYTES_IN_FLIGHT = 32L * 1024 * 1024;

    /** How many bulk loads run in one process at a time. */
    public static final int MAX_BULK_LOADS = 16;

    /** How many refused lines the summary of a bulk load lists. */
    public static final int MAX_BULK_REFUSALS_LISTED = 100;

    /** How long a bulk load keeps trying to reach a store that is unavailable before it stops. */
    public static final Duration BULK_PATIENCE = Duration.ofSeconds(30);

    /** How long a bulk load waits before it repeats a write after the store was unavailable. */
    public static final Duration BULK_RETRY_DELAY = Duration.ofMillis(250);

    /** How often a bulk load reports its progress. */
    public static final Duration BULK_PROGRESS_PERIOD = Duration.ofSeconds(1);

    private BulkLimits() {}
}
