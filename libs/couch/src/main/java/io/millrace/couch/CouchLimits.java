package io.millrace.couch;

import java.time.Duration;

/** The limits of the CouchDB face, each with its unit. */
public final class CouchLimits {

    /** How many revisions of a branch a document remembers ({@code _revs_limit}). */
    public static final int REVS_LIMIT = 1000;

    /** The largest attachment in bytes ({@code too_large}). */
    public static final int MAX_ATTACHMENT_BYTES = 15 * 1024 * 1024;

    /** The largest body of a request in bytes ({@code too_large}). */
    public static final int MAX_REQUEST_BYTES = 64 * 1024 * 1024;

    /** How many document ids a filter looks up one by one; for more ids, the whole feed is read. */
    public static final int MAX_LOOKUP_IDS = 1000;

    /** How many databases {@code POST _dbs_info} describes at once. */
    public static final int MAX_INFO_DATABASES = 100;

    /** How many ids {@code _uuids} makes at once. */
    public static final int MAX_UUIDS = 1000;

    /** How many parts a {@code $regex} has at most when its repetitions are written out ({@code bad_request}). */
    public static final int MAX_REGEX_PARTS = 1000;

    /** The longest time that a feed waits for a change or between heartbeats. */
    public static final Duration MAX_WAIT = Duration.ofSeconds(60);

    /** How many rows of a feed are read at a time. */
    public static final int FEED_PAGE_ROWS = 500;

    /** How often an edit is attempted while other writers change the document first ({@code conflict}). */
    public static final int MAX_ATTEMPTS = 100;

    /** How long a call waits for the store ({@code timeout}). */
    public static final Duration STORE_TIMEOUT = Duration.ofSeconds(30);

    /** How long a filter function may run for one document. */
    public static final Duration FILTER_TIMEOUT = Duration.ofSeconds(1);

    /** How long a function {@code validate_doc_update} may run for one document. */
    public static final Duration VALIDATION_TIMEOUT = Duration.ofSeconds(5);

    private CouchLimits() {}
}
