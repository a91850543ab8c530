package io.millrace.documents;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A bucket as the catalog describes it.
 *
 * @param shards how many index shards it has, a power of two from 1 to 1024
 * @param incarnation grows when the bucket moves or its history branched; part of every seqno
 * @param scopes the names of the collections by scope, both in order of creation
 * @param collectionNumbers the numbers of the collections; a number is never used again in a bucket of this name
 * @param indexes what indexes there are by keyspace and name; what defines them is for those who created them
 * @param manifest grows with each scope or collection that is created or dropped
 * @param settings what clients have noted about the bucket, by name; the store does not look at them
 */
public record BucketInfo(
        String name,
        int shards,
        long incarnation,
        Map<String, List<String>> scopes,
        Map<Keyspace, Integer> collectionNumbers,
        Map<Keyspace, Map<String, String>> indexes,
        long manifest,
        Map<String, String> settings) {

    /** Below the bits of the incarnation, a seqno counts mutations. It stays below 2^53, so that a double holds it exactly. */
    private static final int COUNTER_BITS = 42;

    /** Returns the number before the first seqno of an incarnation. */
    public static long firstSeqno(long incarnation) {
        return incarnation << COUNTER_BITS;
    }

    /** How many numbers are left out when Redis was restarted: those in between may have been assigned and lost. */
    private static final long RESTART_GAP = 1L << 24;

    /** Returns whether two mutations were certainly made in the same history. */
    public static boolean sameHistory(long seqno, long other) {
        return seqno >> COUNTER_BITS == other >> COUNTER_BITS && Math.abs(seqno - other) < RESTART_GAP;
    }

    public boolean has(Keyspace keyspace) {
        return collectionNumbers.containsKey(keyspace);
    }

    /** Returns the number of a collection, or nothing when there is none of that name. */
    public OptionalInt collectionNumber(Keyspace keyspace) {
        Integer number = collectionNumbers.get(keyspace);
        return number == null ? OptionalInt.empty() : OptionalInt.of(number);
    }

    /** Returns the collection of a number, or nothing when it never was or has been dropped. */
    public Optional<Keyspace> collection(int number) {
        return collectionNumbers.entrySet().stream()
                .filter(entry -> entry.getValue() == number)
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** Names the history of a vbucket: another one after the bucket was created again, moved or failed over. */
    public long vbucketUuid(int vbucket) {
        long mixed = (incarnation * VBuckets.COUNT + vbucket + 1) * 0x9e3779b97f4a7c15L;
        mixed = (mixed ^ (mixed >>> 32)) * 0xd6e8feb86659fd93L;
        return mixed ^ (mixed >>> 32);
    }
}
