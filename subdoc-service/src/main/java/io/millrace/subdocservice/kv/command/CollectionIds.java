package io.millrace.subdocservice.kv.command;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.Keyspace;
import io.millrace.memcached.Datatypes;
import io.millrace.memcached.Response;
import io.millrace.memcached.Status;
import io.millrace.subdocservice.cluster.CollectionsManifest;
import java.nio.charset.StandardCharsets;

/** The collections that requests name by their ids, and the responses to ids and names that do not exist. */
final class CollectionIds {

    private CollectionIds() {}

    /** Returns the id of a collection that exists. */
    static int id(BucketInfo bucket, Keyspace keyspace) {
        return CollectionsManifest.id(bucket, keyspace).orElseThrow(() -> CommandException.with(unknown(bucket)));
    }

    /** Returns the collection of an id; throws the response of one that does not exist. */
    static Keyspace keyspace(BucketInfo bucket, int id) {
        return id == CollectionsManifest.DEFAULT
                ? Keyspace.of(bucket.name())
                : bucket.collection(CollectionsManifest.number(id))
                        .orElseThrow(() -> CommandException.with(unknown(bucket)));
    }

    static Response unknown(BucketInfo bucket) {
        return missing(Status.UNKNOWN_COLLECTION, bucket);
    }

    static Response unknownScope(BucketInfo bucket) {
        return missing(Status.UNKNOWN_SCOPE, bucket);
    }

    private static Response missing(Status status, BucketInfo bucket) {
        return Response.of(status)
                .withDatatype(Datatypes.JSON)
                .withValue("{\"manifest_uid\":\"%s\"}"
                        .formatted(CollectionsManifest.uid(bucket))
                        .getBytes(StandardCharsets.UTF_8));
    }
}
