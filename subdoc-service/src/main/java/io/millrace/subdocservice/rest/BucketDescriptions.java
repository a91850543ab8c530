package io.millrace.subdocservice.rest;

import static io.millrace.subdocservice.rest.Describe.answers;
import static io.millrace.subdocservice.rest.Describe.arrayOf;
import static io.millrace.subdocservice.rest.Describe.body;
import static io.millrace.subdocservice.rest.Describe.content;
import static io.millrace.subdocservice.rest.Describe.operation;
import static io.millrace.subdocservice.rest.Describe.parameters;
import static io.millrace.subdocservice.rest.Describe.ref;
import static io.millrace.subdocservice.rest.Describe.refusals;

import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.Schema;
import java.util.List;
import java.util.Map;

/** What OpenAPI says of buckets, scopes and collections. */
final class BucketDescriptions {

    static final String TAG = "Buckets";

    private static final Map<String, Object> COLLECTION_EXAMPLE = Map.of("name", "_default", "documents", 5050);
    private static final Map<String, Object> SCOPE_EXAMPLE =
            Map.of("name", "_default", "documents", 5050, "collections", List.of(COLLECTION_EXAMPLE));
    private static final Map<String, Object> BUCKET_EXAMPLE =
            Map.of("name", "travel-sample", "shards", 1, "documents", 5050, "scopes", List.of(SCOPE_EXAMPLE));

    private BucketDescriptions() {}

    static Operation list() {
        Operation operation = operation(
                "listBuckets", TAG, "List the buckets", "All buckets by name, with the number of living documents.");
        answers(operation, 200, "The buckets", content(Describe.JSON, arrayOf(ref("Bucket")), List.of(BUCKET_EXAMPLE)));
        return refusals(operation, ApiError.UNAVAILABLE);
    }

    static Operation get() {
        return bucket(operation("getBucket", TAG, "Describe a bucket", "Its shards, scopes and collections."), 200);
    }

    static Operation put() {
        Operation operation = operation(
                "putBucket",
                TAG,
                "Create a bucket",
                "Creates a bucket, or confirms that it exists with the same number of shards. One shard gives a total"
                        + " order of all changes and is right for most buckets; more shards spread a bucket over a"
                        + " Redis Cluster. The number cannot change later. " + OpenApiDescription.NAME_RULE);
        body(operation, content(Describe.JSON, ref("BucketSettings"), Map.of("shards", 1)), false);
        bucket(operation, 200);
        answers(operation, 201, "Created", content(Describe.JSON, ref("Bucket"), BUCKET_EXAMPLE));
        return refusals(
                operation,
                ApiError.INVALID_NAME,
                ApiError.INVALID_SHARDS,
                ApiError.INVALID_JSON,
                ApiError.INVALID_BODY,
                ApiError.SYSTEM_BUCKET,
                ApiError.BUCKET_EXISTS,
                ApiError.TOO_MANY_BUCKETS,
                ApiError.UNAVAILABLE);
    }

    static Operation delete() {
        Operation operation = operation(
                "deleteBucket",
                TAG,
                "Drop a bucket",
                "Removes the bucket with everything in it. Functions that listen to it see no deletions.");
        return dropped(parameters(operation, "bucket"), ApiError.BUCKET_NOT_FOUND);
    }

    static Operation listScopes() {
        Operation operation = parameters(operation("listScopes", TAG, "List the scopes of a bucket", ""), "bucket");
        return found(operation, arrayOf(ref("Scope")), List.of(SCOPE_EXAMPLE), ApiError.BUCKET_NOT_FOUND);
    }

    static Operation getScope() {
        Operation operation = operation("getScope", TAG, "Describe a scope", "Its collections.");
        return scope(operation, ApiError.BUCKET_NOT_FOUND, ApiError.SCOPE_NOT_FOUND);
    }

    static Operation putScope() {
        Operation operation = operation(
                "putScope", TAG, "Create a scope", "Or confirms that it exists. " + OpenApiDescription.NAME_RULE);
        answers(operation, 201, "Created", content(Describe.JSON, ref("Scope"), SCOPE_EXAMPLE));
        return scope(operation, ApiError.INVALID_NAME, ApiError.BUCKET_NOT_FOUND);
    }

    static Operation deleteScope() {
        Operation operation = operation(
                "deleteScope", TAG, "Drop a scope", "Removes the scope with its collections. The default scope stays.");
        return dropped(
                parameters(operation, "bucket", "scope"),
                ApiError.INVALID_NAME,
                ApiError.BUCKET_NOT_FOUND,
                ApiError.SCOPE_NOT_FOUND);
    }

    static Operation listCollections() {
        Operation operation = operation("listCollections", TAG, "List the collections of a scope", "");
        return found(
                parameters(operation, "bucket", "scope"),
                arrayOf(ref("Collection")),
                List.of(COLLECTION_EXAMPLE),
                ApiError.BUCKET_NOT_FOUND,
                ApiError.SCOPE_NOT_FOUND);
    }

    static Operation getCollection() {
        Operation operation = operation("getCollection", TAG, "Describe a collection", "How many documents it has.");
        return collection(operation);
    }

    static Operation putCollection() {
        Operation operation = operation(
                "putCollection",
                TAG,
                "Create a collection",
                "Or confirms that it exists. " + OpenApiDescription.NAME_RULE);
        answers(operation, 201, "Created", content(Describe.JSON, ref("Collection"), COLLECTION_EXAMPLE));
        return collection(operation, ApiError.INVALID_NAME, ApiError.TOO_MANY_COLLECTIONS);
    }

    static Operation deleteCollection() {
        Operation operation = operation(
                "deleteCollection",
                TAG,
                "Drop a collection",
                "Removes the collection and its documents. Functions that listen to it see no deletions.");
        return dropped(
                parameters(operation, "bucket", "scope", "collection"),
                ApiError.BUCKET_NOT_FOUND,
                ApiError.SCOPE_NOT_FOUND,
                ApiError.COLLECTION_NOT_FOUND);
    }

    private static Operation bucket(Operation operation, int status) {
        parameters(operation, "bucket");
        answers(operation, status, "The bucket", content(Describe.JSON, ref("Bucket"), BUCKET_EXAMPLE));
        return refusals(operation, ApiError.SYSTEM_BUCKET, ApiError.BUCKET_NOT_FOUND, ApiError.UNAVAILABLE);
    }

    private static Operation scope(Operation operation, ApiError... errors) {
        return found(parameters(operation, "bucket", "scope"), ref("Scope"), SCOPE_EXAMPLE, errors);
    }

    private static Operation collection(Operation operation, ApiError... errors) {
        parameters(operation, "bucket", "scope", "collection");
        found(
                operation,
                ref("Collection"),
                COLLECTION_EXAMPLE,
                ApiError.BUCKET_NOT_FOUND,
                ApiError.SCOPE_NOT_FOUND,
                ApiError.COLLECTION_NOT_FOUND);
        return refusals(operation, errors);
    }

    private static Operation found(Operation operation, Schema<?> schema, Object example, ApiError... errors) {
        answers(operation, 200, "As it is now", content(Describe.JSON, schema, example));
        refusals(operation, errors);
        return refusals(operation, ApiError.SYSTEM_BUCKET, ApiError.UNAVAILABLE);
    }

    private static Operation dropped(Operation operation, ApiError... errors) {
        answers(operation, 204, "Dropped", null);
        refusals(operation, errors);
        return refusals(operation, ApiError.SYSTEM_BUCKET, ApiError.UNAVAILABLE);
    }
}
