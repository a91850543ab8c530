package io.millrace.subdocservice.kv.scan;

import java.time.Duration;

/** The limits of range scans, each with its unit. */
final class ScanLimits {

    /** The most scans that all clients together have open; a further one is answered with {@code EBUSY}. */
    static final int MAX_SCANS = 4096;

    /** The most of them that one user has open, so that others can scan, too; a further one is answered with {@code EBUSY}. */
    static final int MAX_SCANS_PER_USER = 2048;

    /** How long a scan stays open without a request for more of it. */
    static final Duration SCAN_IDLE = Duration.ofSeconds(60);

    /** How long the ids of a range are kept after the last scan of it has begun. */
    static final Duration LISTING_IDLE = Duration.ofSeconds(10);

    /** The most bytes of ids that all listings together have; a scan of a range with more fails with {@code E2BIG}. */
    static final int MAX_LISTING_BYTES = 48 * 1024 * 1024;

    /** How many ids of a range are read at a time. */
    static final int LISTING_PAGE_IDS = 5000;

    /** The most pages of changes that are read to bring a listing up to date; after more, the ids are read again. */
    static final int MAX_CHANGE_PAGES = 50;

    private ScanLimits() {}
}
