package io.millrace.documents.store;

import static io.millrace.documents.DocumentsException.Code.DOCUMENT_TOO_LARGE;
import static io.millrace.documents.DocumentsException.Code.INVALID_ID;
import static io.millrace.documents.DocumentsException.Code.INVALID_NAME;
import static io.millrace.documents.DocumentsException.Code.INVALID_SHARDS;
import static io.millrace.documents.DocumentsException.Code.TOO_MANY_BUCKETS;
import static io.millrace.documents.DocumentsException.Code.XATTRS_TOO_LARGE;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Limits;
import io.millrace.documents.Write;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What every store refuses before it looks at a document. */
public final class Checks {

    private static final Pattern BUCKET = Pattern.compile("[A-Za-z0-9_.%-]+");
    private static final Pattern COLLECTION = Pattern.compile("[A-Za-z0-9-][A-Za-z0-9_%-]*");

    private Checks() {}

    static void bucketName(String name) {
        if (!BUCKET.matcher(name).matches() || name.length() > Limits.MAX_BUCKET_NAME_CHARS) {
            throw DocumentsException.of(
                    INVALID_NAME,
                    "A bucket name is 1 to %d of the characters A-Z a-z 0-9 _ . %% -, which '%s' is not."
                            .formatted(Limits.MAX_BUCKET_NAME_CHARS, name));
        }
    }

    /** Checks the name of a scope or collection that a user creates or drops: the default ones are never meant. */
    static void collectionName(String name) {
        if (!COLLECTION.matcher(name).matches() || name.length() > Limits.MAX_COLLECTION_NAME_CHARS) {
            throw DocumentsException.of(
                    INVALID_NAME,
                    ("The name of a scope or collection is 1 to %d of the characters A-Z a-z 0-9 _ %% - and starts with"
                                    + " neither _ nor %%, which '%s' does not fit. _default can be neither created nor dropped.")
                            .formatted(Limits.MAX_COLLECTION_NAME_CHARS, name));
        }
    }

    /** Checks that one more bucket may be created. */
    public static void room(long buckets) {
        if (buckets >= Limits.MAX_BUCKETS) {
            throw DocumentsException.of(
                    TOO_MANY_BUCKETS, "There are the %d buckets that there may be.".formatted(Limits.MAX_BUCKETS));
        }
    }

    public static void shards(int shards) {
        if (shards < 1 || shards > Limits.MAX_SHARDS || Integer.bitCount(shards) != 1) {
            throw DocumentsException.of(
                    INVALID_SHARDS,
                    "A bucket has a power of two of shards from 1 to %d, not %d.".formatted(Limits.MAX_SHARDS, shards));
        }
    }

    public static void shardOf(BucketDescriptor bucket, int shard) {
        if (shard < 0 || shard >= bucket.shards()) {
            throw DocumentsException.of(
                    INVALID_SHARDS,
                    "Bucket '%s' has the shards 0 to %d, not %d.".formatted(bucket.name(), bucket.shards() - 1, shard));
        }
    }

    /** Returns the bytes of a document id. */
    public static byte[] id(String id) {
        byte[] bytes = id.getBytes(StandardCharsets.UTF_8);
        if (bytes.length == 0 || bytes.length > Limits.MAX_ID_BYTES || !encodable(id)) {
            throw DocumentsException.of(
                    INVALID_ID,
                    "A document id is 1 to %d bytes of UTF-8 without U+0000; this one has %d."
                            .formatted(Limits.MAX_ID_BYTES, bytes.length));
        }
        return bytes;
    }

    /** Returns false for U+0000 and for half a surrogate pair, which would become a question mark. */
    private static boolean encodable(String id) {
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            if (c == 0 || Character.isLowSurrogate(c)) {
                return false;
            }
            if (Character.isHighSurrogate(c) && (++i == id.length() || !Character.isLowSurrogate(id.charAt(i)))) {
                return false;
            }
        }
        return true;
    }

    public static void sizes(Write write) {
        byte[] body = write.body();
        if (body != null && body.length > Limits.MAX_DOCUMENT_BYTES) {
            throw DocumentsException.of(
                    DOCUMENT_TOO_LARGE,
                    "A document has at most %d bytes; this one has %d."
                            .formatted(Limits.MAX_DOCUMENT_BYTES, body.length));
        }
        xattrs("user", write.userXattrs(), Limits.MAX_USER_XATTR_BYTES);
        xattrs("system", write.systemXattrs(), Limits.MAX_SYSTEM_XATTR_BYTES);
    }

    /** Checks what can be known of atomic writes before they are made. */
    public static void atomic(List<Write> writes) {
        long bytes = 0;
        Set<DocumentKey> keys = new HashSet<>();
        for (Write write : writes) {
            id(write.key().id());
            sizes(write);
            bytes += length(write.body()) + length(write.userXattrs()) + length(write.systemXattrs());
            if (!keys.add(write.key())) {
                throw new IllegalArgumentException("Two atomic writes are of one document: " + write.key());
            }
        }
        if (writes.isEmpty() || writes.size() > Limits.MAX_ATOMIC_WRITES || bytes > Limits.MAX_ATOMIC_BYTES) {
            throw new IllegalArgumentException(
                    "Atomic writes are of 1 to %d documents and at most %d bytes, not %d and %d"
                            .formatted(Limits.MAX_ATOMIC_WRITES, Limits.MAX_ATOMIC_BYTES, writes.size(), bytes));
        }
    }

    private static int length(byte @Nullable [] bytes) {
        return bytes == null ? 0 : bytes.length;
    }

    private static void xattrs(String kind, byte @Nullable [] xattrs, int most) {
        if (xattrs != null && xattrs.length > most) {
            throw DocumentsException.of(
                    XATTRS_TOO_LARGE,
                    "The %s extended attributes of a document have at most %d bytes; these have %d."
                            .formatted(kind, most, xattrs.length));
        }
    }
}
