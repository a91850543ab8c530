package io.millrace.documents;

import java.time.Duration;

/** The limits of the document store, each with its unit; past one of them a call fails with the code named. */
public final class Limits {

    /** The largest document body in bytes ({@link DocumentsException.Code#DOCUMENT_TOO_LARGE}). */
    public static final int MAX_DOCUMENT_BYTES = 20 * 1024 * 1024;

    /** The largest user attributes of a document together, in bytes ({@code XATTRS_TOO_LARGE}). */
    public static final int MAX_USER_XATTR_BYTES = 20 * 1024 * 1024;

    /** The largest system attributes of a document together, in bytes ({@code XATTRS_TOO_LARGE}). */
    public static final int MAX_SYSTEM_XATTR_BYTES = 1024 * 1024;

    /** The longest document id in bytes of UTF-8 ({@code INVALID_ID}). */
    public static final int MAX_ID_BYTES = 250;

    /** The longest bucket name in characters ({@code INVALID_NAME}). */
    public static final int MAX_BUCKET_NAME_CHARS = 100;

    /** The longest scope or collection name in characters ({@code INVALID_NAME}). */
    public static final int MAX_COLLECTION_NAME_CHARS = 251;

    /** The most buckets in one store ({@code TOO_MANY_BUCKETS}); every process keeps the whole catalog in memory. */
    public static final int MAX_BUCKETS = 1000;

    /** The most collections in one bucket ({@code TOO_MANY_COLLECTIONS}). */
    public static final int MAX_COLLECTIONS_PER_BUCKET = 1200;

    /** The most index shards in one bucket; shards are a power of two ({@code INVALID_SHARDS}). */
    public static final int MAX_SHARDS = VBuckets.COUNT;

    /** How many transaction ids a document remembers: a write may be repeated until so many others came after it. */
    public static final int REMEMBERED_TRANSACTIONS = 8;

    /** The longest id of a function instance in an {@link Origin}, in characters of ASCII. */
    public static final int MAX_ORIGIN_CHARS = 200;

    /** The most changes that a feed hands out at a time. */
    public static final int MAX_PAGE_MUTATIONS = 1000;

    /** About how many bytes of documents a feed hands out at a time; the first page may be larger. */
    public static final int FEED_PAGE_BYTES = 8 * 1024 * 1024;

    /** How many bytes a store keeps of what its feeds have read, for feeds that follow; one further behind reads by itself. */
    public static final int SHARED_FEED_BYTES = 32 * 1024 * 1024;

    /** The most changes that are brought into an index at a time; Redis does nothing else meanwhile. */
    public static final int MAX_INDEX_PAGE_ROWS = 256;

    /** The most writes that one call carries out together; Redis does nothing else meanwhile. */
    public static final int MAX_WRITES_TOGETHER = 32;

    /** The most bytes of bodies and attributes that one call writes together; a larger document is written alone. */
    public static final int MAX_BYTES_TOGETHER = 256 * 1024;

    /** The most documents that are written atomically; Redis does nothing else meanwhile. */
    public static final int MAX_ATOMIC_WRITES = 256;

    /** The most bytes of bodies and attributes that are written atomically. */
    public static final int MAX_ATOMIC_BYTES = 4 * 1024 * 1024;

    /** The largest field of a document in bytes that is read without asking {@link ReadRoom}. */
    public static final int UNASKED_READ_BYTES = 64 * 1024;

    /** The largest document in bytes that is read on the connection of all other commands, and written together with others. */
    public static final int MAX_BYTES_AMONG_OTHERS = 256 * 1024;

    /** The most documents above that which one store reads at the same time. */
    public static final int LARGE_READS_AT_A_TIME = 2;

    /** The most documents above that which one store remembers, so that it asks for their size before it reads them. */
    public static final int MAX_REMEMBERED_LARGE = 10_000;

    /** How far the clock of Redis may be ahead of that of a process before CAS are made of the latter; see {@link Document}. */
    public static final Duration MAX_CLOCK_LEAD = Duration.ofMinutes(5);

    /** How long a reader that missed a notification waits at most until it looks again. */
    public static final Duration SLOW_POLL = Duration.ofSeconds(1);

    private Limits() {}
}
