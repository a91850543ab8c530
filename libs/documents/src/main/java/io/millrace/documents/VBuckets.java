package io.millrace.documents;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/** The mapping of document ids to the 1,024 vbuckets that Couchbase clients compute as well (seed document 000). */
public final class VBuckets {

    /** How many vbuckets every bucket has. */
    public static final int COUNT = 1024;

    private VBuckets() {}

    /** Returns the vbucket of a document id: {@code (crc32(id) >> 16) & 0x7fff & 1023}. */
    public static int of(String id) {
        CRC32 crc = new CRC32();
        crc.update(id.getBytes(StandardCharsets.UTF_8));
        return (int) (crc.getValue() >> 16) & 0x7fff & (COUNT - 1);
    }

    /** Returns the index shard, 0 to {@code shards - 1}, that holds a vbucket in a bucket of {@code shards} shards. */
    public static int shardOf(int vbucket, int shards) {
        return vbucket * shards / COUNT;
    }
}
