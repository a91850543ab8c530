package io.millrace.subdocservice.rest.request;

import java.time.Duration;
import java.time.Instant;

/** The limits of the expiry of documents. */
final class RequestLimits {

    /** The latest expiry of a document: the latest one that Couchbase clients can encode. */
    static final Instant LATEST_EXPIRY = Instant.ofEpochSecond(0xffff_ffffL);

    /** A larger number of seconds is a Unix time, as in Couchbase. */
    static final Duration LONGEST_RELATIVE_EXPIRY = Duration.ofDays(30);

    private RequestLimits() {}
}
