package io.millrace.subdocservice.rest.request;

import java.time.Duration;
import java.time.Instant;

/** The limits of the expiry of documents. */
final class RequestLimits {

    /** The last time at which a document can expire: the last one that Couchbase clients can name. */
    static final Instant LATEST_EXPIRY = Instant.ofEpochSecond(0xffff_ffffL);

    /** A number of seconds above this is a time since 1970, as in Couchbase. */
    static final Duration LONGEST_RELATIVE_EXPIRY = Duration.ofDays(30);

    private RequestLimits() {}
}
