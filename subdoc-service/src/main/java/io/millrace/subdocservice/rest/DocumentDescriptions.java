package io.millrace.subdocservice.rest;

import static io.millrace.subdocservice.rest.Describe.answers;
import static io.millrace.subdocservice.rest.Describe.body;
import static io.millrace.subdocservice.rest.Describe.content;
import static io.millrace.subdocservice.rest.Describe.headers;
import static io.millrace.subdocservice.rest.Describe.operation;
import static io.millrace.subdocservice.rest.Describe.parameters;
import static io.millrace.subdocservice.rest.Describe.ref;
import static io.millrace.subdocservice.rest.Describe.refusals;
import static io.millrace.subdocservice.rest.Describe.type;

import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import java.util.LinkedHashMap;
import java.util.Map;

/** What OpenAPI says of documents, their extended attributes and bulk loads. */
final class DocumentDescriptions {

    static final String TAG = "Documents";

    private static final Map<String, Object> DOCUMENT = Map.of("type", "airline", "name", "40-Mile Air", "iata", "Q5");
    private static final Map<String, Object> WRITTEN = Map.of("cas", 4398046511105L, "vbucket", 741);
    private static final String OCTETS = "application/octet-stream";
    private static final String NDJSON = "application/x-ndjson";

    private DocumentDescriptions() {}

    static Operation get(boolean full) {
        Operation operation = document(
                full, "get", "Read a document", "Gives the bytes that were written. HEAD gives the headers alone.");
        parameters(operation, "ifNoneMatch");
        answers(operation, 200, "The document", documentContent());
        headers(operation, 200, versionHeaders());
        headers(operation, 200, Map.of(Written.EXPIRY, "When it expires (RFC 3339); absent when it never does"));
        answers(operation, 304, "It still has the version in If-None-Match", null);
        return common(operation);
    }

    static Operation put(boolean full) {
        Operation operation = document(
                full,
                "put",
                "Write a document",
                "Creates or replaces it. `If-Match` makes it replace one version, `If-None-Match: *` makes it create."
                        + " The bytes are stored as they are sent. Extended attributes stay.");
        written(operation, "ifMatch", "createOnly");
        answers(operation, 200, "Replaced", content(Describe.JSON, ref("Written"), WRITTEN));
        headers(operation, 200, writeHeaders());
        answers(operation, 201, "Created", content(Describe.JSON, ref("Written"), WRITTEN));
        headers(operation, 201, writeHeaders());
        refusals(operation, ApiError.PRECONDITION_FAILED);
        return writeRefusals(operation);
    }

    static Operation post(boolean full) {
        Operation operation =
                document(full, "insert", "Create a document", "Like PUT, but never replaces a document that is there.");
        written(operation);
        answers(operation, 201, "Created", content(Describe.JSON, ref("Written"), WRITTEN));
        headers(operation, 201, writeHeaders());
        refusals(operation, ApiError.DOCUMENT_EXISTS);
        return writeRefusals(operation);
    }

    static Operation delete(boolean full) {
        Operation operation = document(
                full,
                "delete",
                "Delete a document",
                "Leaves a tombstone, so that functions see the deletion. The ETag of the answer is its version.");
        parameters(operation, "ifMatch", "idempotencyKey");
        answers(operation, 204, "Deleted", null);
        headers(operation, 204, writeHeaders());
        return common(refusals(operation, ApiError.INVALID_HEADER, ApiError.PRECONDITION_FAILED));
    }

    static Operation touch(boolean full) {
        Operation operation = document(
                full,
                "touch",
                "Change the expiry of a document",
                "Leaves the body as it is. Without an expiry the document never expires.");
        parameters(operation, "expiry", "expiresIn", "ifMatch", "idempotencyKey");
        answers(operation, 200, "Changed", content(Describe.JSON, ref("Written"), WRITTEN));
        headers(operation, 200, writeHeaders());
        refusals(operation, ApiError.INVALID_PARAMETER, ApiError.INVALID_HEADER, ApiError.PRECONDITION_FAILED);
        return common(operation);
    }

    static Operation getXattrs(boolean full) {
        Operation operation = document(
                full,
                "getXattrs",
                "Read the extended attributes of a document",
                "One JSON object of names and values beside the body, `{}` when there are none.");
        answers(operation, 200, "The attributes", content(Describe.JSON, type("object"), Map.of("source", "import")));
        headers(operation, 200, versionHeaders());
        return common(operation);
    }

    static Operation putXattrs(boolean full) {
        Operation operation = document(
                full,
                "putXattrs",
                "Write the extended attributes of a document",
                "Replaces all of them, and gives the document a new version; body and expiry stay. Names have 1 to 15"
                        + " bytes and start with a letter or digit.");
        parameters(operation, "ifMatch", "idempotencyKey");
        body(operation, content(Describe.JSON, type("object"), Map.of("source", "import")), true);
        answers(operation, 200, "Written", content(Describe.JSON, ref("Written"), WRITTEN));
        headers(operation, 200, writeHeaders());
        refusals(
                operation,
                ApiError.INVALID_JSON,
                ApiError.INVALID_XATTRS,
                ApiError.INVALID_HEADER,
                ApiError.PRECONDITION_FAILED,
                ApiError.XATTRS_TOO_LARGE,
                ApiError.UNSUPPORTED_MEDIA_TYPE);
        return common(operation);
    }

    static Operation deleteXattrs(boolean full) {
        Operation operation =
                document(full, "deleteXattrs", "Drop the extended attributes of a document", "Body and expiry stay.");
        parameters(operation, "ifMatch", "idempotencyKey");
        answers(operation, 204, "Dropped", null);
        headers(operation, 204, writeHeaders());
        return common(refusals(operation, ApiError.INVALID_HEADER, ApiError.PRECONDITION_FAILED));
    }

    static Operation bulk(boolean full) {
        Operation operation = operation(
                "bulkLoad" + suffix(full),
                TAG,
                "Load many documents",
                "One JSON object a line: `id`, `value` and, if wanted, `expiry`. Each line is an upsert, and the value is"
                        + " stored as it is spelt. Lines that cannot be carried out are counted and do not end the"
                        + " load. The answer is JSON lines as well: progress about every second, at last a summary with"
                        + " the first 100 refused lines. With curl: `curl -T documents.jsonl -X POST -H 'Content-Type:"
                        + " application/x-ndjson' http://.../bulk`.");
        parameters(operation, keyspace(full));
        parameters(operation, "expiry", "expiresIn");
        body(
                operation,
                content(NDJSON, type("string"), "{\"id\":\"airline_10\",\"value\":{\"name\":\"40-Mile Air\"}}\n"),
                true);
        answers(
                operation,
                200,
                "Progress and a summary, one a line",
                content(NDJSON, ref("BulkSummary"), bulkExample()));
        return refusals(
                operation,
                ApiError.INVALID_PARAMETER,
                ApiError.SYSTEM_BUCKET,
                ApiError.BUCKET_NOT_FOUND,
                ApiError.SCOPE_NOT_FOUND,
                ApiError.COLLECTION_NOT_FOUND,
                ApiError.UNSUPPORTED_MEDIA_TYPE,
                ApiError.TOO_MANY_LOADS,
                ApiError.UNAVAILABLE);
    }

    private static String bulkExample() {
        return """
                {"loaded":4711,"refused":0,"bytes":1945600}
                {"done":true,"loaded":7303,"refused":1,"lines":7304,"bytes":2907502,"seconds":1.4,"refusals":[\
                {"line":12,"error":"invalid_json","reason":"Found '}' where a value should be at column 31."}]}
                """;
    }

    private static Operation document(boolean full, String verb, String summary, String description) {
        String noun = verb.endsWith("Xattrs") ? "" : "Document";
        return parameters(
                parameters(operation(verb + noun + suffix(full), TAG, summary, description), keyspace(full)), "id");
    }

    static String suffix(boolean full) {
        return full ? "InCollection" : "";
    }

    static String[] keyspace(boolean full) {
        return full ? new String[] {"bucket", "scope", "collection"} : new String[] {"bucket"};
    }

    private static void written(Operation operation, String... preconditions) {
        parameters(operation, preconditions);
        parameters(operation, "expiry", "expiresIn", "preserveExpiry", "idempotencyKey");
        body(operation, documentContent(), true);
    }

    private static Content documentContent() {
        Content content = content(Describe.JSON, new Schema<>(), DOCUMENT);
        return content.addMediaType(
                OCTETS, new MediaType().schema(type("string").format("binary")));
    }

    static Map<String, String> versionHeaders() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("ETag", "The CAS, in quotes: the version of the document");
        headers.put(Written.SEQNO, "Its place in the change feed");
        headers.put(Written.VBUCKET, "Its vbucket, 0 to 1023");
        return headers;
    }

    static Map<String, String> writeHeaders() {
        Map<String, String> headers = versionHeaders();
        headers.put(Written.REPLAYED, "`true` when the Idempotency-Key was known: nothing was written again");
        return headers;
    }

    private static Operation writeRefusals(Operation operation) {
        refusals(
                operation,
                ApiError.INVALID_JSON,
                ApiError.INVALID_PARAMETER,
                ApiError.INVALID_HEADER,
                ApiError.DOCUMENT_TOO_LARGE,
                ApiError.UNSUPPORTED_MEDIA_TYPE);
        return refusals(
                operation,
                ApiError.INVALID_ID,
                ApiError.SYSTEM_BUCKET,
                ApiError.BUCKET_NOT_FOUND,
                ApiError.SCOPE_NOT_FOUND,
                ApiError.COLLECTION_NOT_FOUND,
                ApiError.UNAVAILABLE,
                ApiError.REFUSED);
    }

    static Operation common(Operation operation) {
        return refusals(
                operation,
                ApiError.INVALID_ID,
                ApiError.SYSTEM_BUCKET,
                ApiError.DOCUMENT_NOT_FOUND,
                ApiError.BUCKET_NOT_FOUND,
                ApiError.SCOPE_NOT_FOUND,
                ApiError.COLLECTION_NOT_FOUND,
                ApiError.UNAVAILABLE);
    }
}
