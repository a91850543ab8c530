package io.millrace.subdocservice.rest;

import io.millrace.documents.Limits;
import java.time.Duration;
import java.time.Instant;

/** The limits of the HTTP edge, each with its unit, beside those of {@link Limits}. */
final class RestLimits {

    /** The largest body that describes a bucket, in bytes. */
    static final int MAX_SETTINGS_BYTES = 4096;

    /** The longest {@code Idempotency-Key} in characters. */
    static final int MAX_IDEMPOTENCY_KEY_CHARS = 255;

    /** The last time at which a document can expire: the last one that Couchbase clients can name. */
    static final Instant LATEST_EXPIRY = Instant.ofEpochSecond(0xffff_ffffL);

    /** A number of seconds above this is a time since 1970, as in Couchbase. */
    static final Duration LONGEST_RELATIVE_EXPIRY = Duration.ofDays(30);

    /** The longest name of an extended attribute in bytes. */
    static final int MAX_XATTR_NAME_BYTES = 15;

    /** The largest body of a sub-document request in bytes: the largest document and its attributes, and the spelling around. */
    static final int MAX_SPECS_BYTES = Limits.MAX_DOCUMENT_BYTES + 2 * 1024 * 1024;

    /** The longest line of a bulk load in bytes: the largest document, and room for its id and the spelling around. */
    static final int MAX_BULK_LINE_BYTES = Limits.MAX_DOCUMENT_BYTES + 4096;

    /** How many writes of one bulk load may be unanswered before it stops reading. */
    static final int MAX_BULK_WRITES_IN_FLIGHT = 1024;

    /** How many bytes of documents of one bulk load may be unanswered before it stops reading. */
    static final long MAX_BULK_BYTES_IN_FLIGHT = 32L * 1024 * 1024;

    /** How many bulk loads one process carries out at once. */
    static final int MAX_BULK_LOADS = 16;

    /** How many refused lines the summary of a bulk load lists. */
    static final int MAX_BULK_REFUSALS_LISTED = 100;

    /** How long a bulk load keeps trying to reach a store that is unavailable before it stops. */
    static final Duration BULK_PATIENCE = Duration.ofSeconds(30);

    /** How long a bulk load waits before it repeats a write that met an unavailable store. */
    static final Duration BULK_RETRY_DELAY = Duration.ofMillis(250);

    /** How often a bulk load reports its progress. */
    static final Duration BULK_PROGRESS_PERIOD = Duration.ofSeconds(1);

    private RestLimits() {}
}
