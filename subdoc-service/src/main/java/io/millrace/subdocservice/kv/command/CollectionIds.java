package io.millrace.subdocservice.kv.command;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.Keyspace;
import io.millrace.memcached.Datatypes;
import io.millrace.memcached.Response;
import io.millrace.memcached.Status;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/** The ids of scopes and collections on the wire. */
final class CollectionIds {

    /** The id of the default collection, whatever its number is. */
    static final int DEFAULT = 0;

    /** The protocol reserves the ids from 1 to this one. */
    private static final int RESERVED = 7;

    private CollectionIds() {}

    /** Returns the id of a collection that exists. */
    static int id(BucketInfo bucket, Keyspace keyspace) {
        if (keyspace.equals(Keyspace.of(bucket.name()))) {
            return DEFAULT;
        }
        return bucket.collectionNumber(keyspace).orElseThrow(() -> CommandException.with(unknown(bucket))) + RESERVED;
    }

    /** Returns the number of the collection with an id other than {@link #DEFAULT}. */
    static int number(int id) {
        return id - RESERVED;
    }

    /** Scopes have no numbers in the store; their ids are hashes of their names. */
    static int scopeId(String scope) {
        if (scope.equals(Keyspace.DEFAULT)) {
            return DEFAULT;
        }
        CRC32 crc = new CRC32();
        crc.update(scope.getBytes(StandardCharsets.UTF_8));
        return (int) (crc.getValue() & 0x3fffffff) + RESERVED + 1;
    }

    static Response unknown(BucketInfo bucket) {
        return missing(Status.UNKNOWN_COLLECTION, bucket);
    }

    static Response unknownScope(BucketInfo bucket) {
        return missing(Status.UNKNOWN_SCOPE, bucket);
    }

    /** Clients compare the id of the manifest with the one that they have. */
    private static Response missing(Status status, BucketInfo bucket) {
        return Response.of(status)
                .withDatatype(Datatypes.JSON)
                .withValue(bytes("{\"manifest_uid\":\"%x\"}".formatted(bucket.manifest())));
    }

    /** Returns the manifest: all scopes and collections with their ids. */
    static byte[] manifest(BucketInfo bucket) {
        List<String> scopes = new ArrayList<>();
        bucket.scopes().forEach((scope, names) -> {
            List<String> collections = names.stream()
                    .map(name -> entry(name, id(bucket, new Keyspace(bucket.name(), scope, name))) + "}")
                    .toList();
            scopes.add(entry(scope, scopeId(scope)) + ",\"collections\":[" + String.join(",", collections) + "]}");
        });
        return bytes("{\"uid\":\"%x\",\"scopes\":[%s]}".formatted(bucket.manifest(), String.join(",", scopes)));
    }

    private static String entry(String name, int id) {
        return "{\"name\":\"%s\",\"uid\":\"%x\"".formatted(name, id);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
