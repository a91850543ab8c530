package io.millrace.documents.redis;

import static io.millrace.redis.Bytes.bytes;

import java.util.Arrays;

/**
 * The names of all keys, fields and channels in Redis. All keys of a shard share one hash tag, so that one function may
 * change them together on a Redis Cluster.
 */
final class Keys {

    /** HASH, descriptors by bucket. */
    static final byte[] CATALOG = bytes("mr:catalog");

    /** The topic of changes of the catalog. */
    static final String CATALOG_TOPIC = "catalog";

    static final byte[] NEWEST_SEQNO = bytes("n");
    static final byte[] TIME = bytes("t");
    static final byte[] LOST = bytes("lost");
    static final byte[] RUN = bytes("run");

    static final byte[] HEADER = bytes("h");
    static final byte[] BODY = bytes("b");
    static final byte[] USER_XATTRS = bytes("u");
    static final byte[] SYSTEM_XATTRS = bytes("y");

    private Keys() {}

    /**
     * The keys of one shard.
     *
     * @param topic of its notifications, and the hash tag
     * @param documents the prefix of document keys, to which a {@link #ref} is appended
     * @param order ZSET, by_seq
     * @param meta HASH, the counters and the fence
     * @param expiries ZSET, refs by second of expiry
     * @param ids ZSET, refs of living documents, all with score 0 and so in the order of their bytes
     * @param lists the prefix of LISTs that belong to documents: the events of streams
     * @param indexes HASH, the seqno that an index has reached, by {@code <cid>:<index>}
     * @param entries the prefix of ZSETs of entries, one for each index
     * @param owners the prefix of HASHes of entries by document, one for each index
     */
    record Shard(
            String topic,
            byte[] documents,
            byte[] order,
            byte[] meta,
            byte[] expiries,
            byte[] ids,
            byte[] lists,
            byte[] indexes,
            byte[] entries,
            byte[] owners) {

        static Shard of(String bucket, int number) {
            String topic = bucket + '.' + number;
            String prefix = "mr:{" + topic + "}:";
            return new Shard(
                    topic,
                    bytes(prefix + "d:"),
                    bytes(prefix + "q"),
                    bytes(prefix + "m"),
                    bytes(prefix + "x"),
                    bytes(prefix + "i"),
                    bytes(prefix + "e:"),
                    bytes(prefix + "n"),
                    bytes(prefix + "n:"),
                    bytes(prefix + "o:"));
        }

        byte[] list(byte[] ref) {
            return concat(lists, ref);
        }

        byte[] document(byte[] ref) {
            return concat(documents, ref);
        }
    }

    /** ZSET, the rows of all shards of a bucket in the order in which readers have merged them. */
    static byte[] log(String bucket) {
        return bytes("mr:{" + bucket + "}:l");
    }

    /** HASH, how far each shard of a bucket has been merged. */
    static byte[] cursors(String bucket) {
        return bytes("mr:{" + bucket + "}:c");
    }

    /** Returns the field of a shard's meta that counts the living documents of a collection. */
    static byte[] counter(int collection) {
        return bytes("c:" + collection);
    }

    /** Returns what names a document within its shard: {@code <cid>:<id>}. */
    static byte[] ref(byte[] collection, byte[] id) {
        byte[] ref = Arrays.copyOf(collection, collection.length + 1 + id.length);
        ref[collection.length] = ':';
        System.arraycopy(id, 0, ref, collection.length + 1, id.length);
        return ref;
    }

    static byte[] concat(byte[] head, byte[] tail) {
        byte[] both = Arrays.copyOf(head, head.length + tail.length);
        System.arraycopy(tail, 0, both, head.length, tail.length);
        return both;
    }
}
