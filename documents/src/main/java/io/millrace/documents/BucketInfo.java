package io.millrace.documents;

import java.util.List;
import java.util.Map;

/**
 * A bucket as the catalog describes it.
 *
 * @param shards how many index shards it has, a power of two from 1 to 1024
 * @param incarnation grows when the bucket moves or its history branched; part of every CAS
 * @param scopes the names of the collections by scope, both in order of creation
 */
public record BucketInfo(String name, int shards, long incarnation, Map<String, List<String>> scopes) {

    public boolean has(Keyspace keyspace) {
        return name.equals(keyspace.bucket())
                && scopes.getOrDefault(keyspace.scope(), List.of()).contains(keyspace.collection());
    }
}
