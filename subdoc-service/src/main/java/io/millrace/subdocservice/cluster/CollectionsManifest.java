package io.millrace.subdocservice.cluster;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.Keyspace;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.zip.CRC32;

/** The scopes and collections of a bucket with their ids, as clients of the binary protocol and of its REST API know them. */
public final class CollectionsManifest {

    /** The id of the default collection, whatever its number is. */
    public static final int DEFAULT = 0;

    /** The protocol reserves the ids from 1 to this one. */
    private static final int RESERVED = 7;

    private CollectionsManifest() {}

    /** Returns the id of a collection, or nothing if it does not exist. */
    public static OptionalInt id(BucketInfo bucket, Keyspace keyspace) {
        if (keyspace.equals(Keyspace.of(bucket.name()))) {
            return OptionalInt.of(DEFAULT);
        }
        OptionalInt number = bucket.collectionNumber(keyspace);
        return number.isPresent() ? OptionalInt.of(number.getAsInt() + RESERVED) : OptionalInt.empty();
    }

    /** Returns the number of the collection with an id other than {@link #DEFAULT}. */
    public static int number(int id) {
        return id - RESERVED;
    }

    /** Scopes have no numbers in the store; their ids are hashes of their names. */
    public static int scopeId(String scope) {
        if (scope.equals(Keyspace.DEFAULT)) {
            return DEFAULT;
        }
        CRC32 crc = new CRC32();
        crc.update(scope.getBytes(StandardCharsets.UTF_8));
        return (int) (crc.getValue() & 0x3fffffff) + RESERVED + 1;
    }

    /** Returns the id of the manifest: clients compare it with that of the one that they have. */
    public static String uid(BucketInfo bucket) {
        return Long.toHexString(bucket.manifest());
    }

    /** Returns the manifest as JSON. */
    public static byte[] json(BucketInfo bucket) {
        List<String> scopes = new ArrayList<>();
        bucket.scopes().forEach((scope, names) -> {
            List<String> collections = names.stream()
                    .map(name -> collection(bucket, new Keyspace(bucket.name(), scope, name)))
                    .toList();
            scopes.add(
                    "{%s,\"collections\":[%s]}".formatted(entry(scope, scopeId(scope)), String.join(",", collections)));
        });
        return "{\"uid\":\"%s\",\"scopes\":[%s]}"
                .formatted(uid(bucket), String.join(",", scopes))
                .getBytes(StandardCharsets.UTF_8);
    }

    private static String collection(BucketInfo bucket, Keyspace keyspace) {
        return "{%s,\"maxTTL\":0}"
                .formatted(entry(keyspace.collection(), id(bucket, keyspace).orElseThrow()));
    }

    private static String entry(String name, int id) {
        return "\"name\":\"%s\",\"uid\":\"%x\"".formatted(name, id);
    }
}
