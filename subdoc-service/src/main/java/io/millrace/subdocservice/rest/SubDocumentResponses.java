package io.millrace.subdocservice.rest;

import io.millrace.documents.DocumentKey;
import io.millrace.json.JsonCursor;
import io.millrace.json.MalformedJson;
import io.millrace.problemdetails.Problem;
import io.millrace.subdoc.Outcome.PathResult;
import io.millrace.subdoc.Request;
import io.millrace.subdoc.Spec.PathFlag;
import io.millrace.subdoc.Status;
import io.millrace.subdoc.SubdocLimits;
import io.millrace.subdocservice.rest.error.ApiError;
import io.millrace.subdocservice.rest.error.ErrorResponses;
import io.millrace.subdocservice.rest.request.Precondition;
import io.millrace.subdocservice.subdocuments.SubDocumentExecutor.ExecutionResult;
import io.millrace.subdocservice.subdocuments.SubDocumentLimits;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** The responses to sub-document requests: the one table from {@link Status} to HTTP. */
final class SubDocumentResponses {

    private static final byte[] VALUE = ",\"value\":".getBytes(StandardCharsets.US_ASCII);

    private SubDocumentResponses() {}

    /** An operation that failed, counted from 0. */
    record FailedPath(int index, String status) {}

    /** Responds with the result of each operation; values are written as stored. */
    static Mono<ServerResponse> success(ExecutionResult executed, DocumentKey key, Request request) {
        ByteArrayOutputStream text = new ByteArrayOutputStream(256);
        print(
                text,
                "{\"subdoc_status\":\"%s\",\"cas\":%d,\"vbucket\":%d"
                        .formatted(executed.status(), executed.cas(), key.vbucket()));
        if (request.kind() == Request.Kind.SINGLE) {
            executed.results().forEach(result -> value(text, result, request));
        } else {
            print(text, ",\"results\":[");
            String separator = "";
            for (PathResult result : executed.results()) {
                print(text, separator + "{\"index\":%d,\"status\":\"%s\"".formatted(result.index(), result.status()));
                value(text, result, request);
                text.write('}');
                separator = ",";
            }
            text.write(']');
        }
        text.write('}');
        var response = ServerResponse.ok().headers(headers -> {
            headers.set(HttpHeaders.ETAG, "\"" + executed.cas() + '"');
            headers.set(WriteResponses.SEQNO, Long.toString(executed.seqno()));
            headers.set(WriteResponses.VBUCKET, Integer.toString(key.vbucket()));
            if (executed.repeated()) {
                headers.set(WriteResponses.REPLAYED, "true");
            }
        });
        return WriteResponses.bytes(response, MediaType.APPLICATION_JSON, text.toByteArray());
    }

    private static void value(ByteArrayOutputStream text, PathResult result, Request request) {
        if (result.value().length == 0) {
            return;
        }
        boolean binary = (request.specs().get(result.index()).flags() & PathFlag.BINARY_VALUE) != 0;
        if (binary || !json(result.value())) {
            print(text, ",\"base64\":\"%s\"".formatted(Base64.getEncoder().encodeToString(result.value())));
        } else {
            text.writeBytes(VALUE);
            text.writeBytes(result.value());
        }
    }

    /** Returns whether a value can be part of a JSON response: clients of the binary protocol may store any bytes. */
    private static boolean json(byte[] value) {
        try {
            JsonCursor.check(value);
            return true;
        } catch (MalformedJson e) {
            return false;
        }
    }

    private static void print(ByteArrayOutputStream text, String ascii) {
        text.writeBytes(ascii.getBytes(StandardCharsets.US_ASCII));
    }

    /** Returns the problem of a request that failed, with the status of the binary protocol and the operation that failed. */
    static Mono<ServerResponse> error(ExecutionResult executed, DocumentKey key, Precondition precondition) {
        List<FailedPath> failed = executed.results().stream()
                .map(result -> new FailedPath(result.index(), result.status().name()))
                .toList();
        Problem problem = apiError(executed.status(), precondition)
                .problem(message(executed, key))
                .with("subdoc_status", executed.status().name())
                .with("results", failed.isEmpty() ? null : failed);
        return ErrorResponses.withEtag(problem, Precondition.etag(executed.cas()));
    }

    private static ApiError apiError(Status status, Precondition precondition) {
        return switch (status) {
            case KEY_ENOENT ->
                precondition instanceof Precondition.Version
                        ? ApiError.PRECONDITION_FAILED
                        : ApiError.DOCUMENT_NOT_FOUND;
            case KEY_EEXISTS, NOT_STORED ->
                precondition instanceof Precondition.None ? ApiError.DOCUMENT_EXISTS : ApiError.PRECONDITION_FAILED;
            case E2BIG -> ApiError.DOCUMENT_TOO_LARGE;
            case LOCKED -> ApiError.DOCUMENT_LOCKED;
            case ETMPFAIL -> ApiError.DOCUMENT_BUSY;
            case EINVAL,
                    INVALID_COMBO,
                    NOT_SUPPORTED,
                    XATTR_EINVAL,
                    XATTR_INVALID_FLAG_COMBO,
                    XATTR_INVALID_KEY_COMBO,
                    XATTR_UNKNOWN_MACRO,
                    XATTR_CANT_MODIFY_VATTR,
                    INVALID_XATTR_ORDER -> ApiError.INVALID_SPECS;
            default -> ApiError.PATH_FAILED;
        };
    }

    private static String message(ExecutionResult executed, DocumentKey key) {
        if (executed.status() == Status.MULTI_PATH_FAILURE) {
            PathResult failed = executed.results().get(0);
            return "Operation %d failed, so nothing was changed. %s"
                    .formatted(failed.index(), reason(failed.status(), key));
        }
        return reason(executed.status(), key);
    }

    private static String reason(Status status, DocumentKey key) {
        return switch (status) {
            case KEY_ENOENT ->
                "Document '%s' does not exist in %s. With the document flag mkdoc, mutate-in creates it."
                        .formatted(key.id(), key.keyspace());
            case KEY_EEXISTS -> "Document '%s' exists, or has another version than expected.".formatted(key.id());
            case NOT_STORED -> "Another writer created document '%s' concurrently.".formatted(key.id());
            case LOCKED -> "Document '%s' is locked by another client.".formatted(key.id());
            case E2BIG ->
                "The document would be larger than %,d bytes with its user attributes, or its system attributes larger than %,d."
                        .formatted(SubdocLimits.MAX_DOCUMENT_BYTES, SubdocLimits.MAX_SYSTEM_XATTR_BYTES);
            case ETMPFAIL ->
                "The change of document '%s' conflicted with other writers %d times, or too many changes are waiting."
                        .formatted(key.id(), SubDocumentLimits.MAX_ATTEMPTS);
            case EINVAL ->
                "An operation has a flag, value, path or document flag that it does not support, or lacks one that it"
                        + " needs.";
            case INVALID_COMBO ->
                "A request must have 1 to %d operations, all look-ups or all mutations; operations on whole documents must be in specs."
                        .formatted(SubdocLimits.MAX_SPECS);
            case XATTR_EINVAL ->
                "The path of an attribute must start with its name: 1 to 15 bytes, a letter or digit first ('_' for"
                        + " system attributes).";
            case XATTR_INVALID_FLAG_COMBO -> "expand_macros and binary_value need xattr_path and exclude each other.";
            case XATTR_UNKNOWN_MACRO -> "With expand_macros the value must be a macro, such as \"${Mutation.CAS}\".";
            case XATTR_CANT_MODIFY_VATTR -> "Attributes whose names start with '$' are virtual and cannot be written.";
            case INVALID_XATTR_ORDER -> "Operations on attributes must come before those on the body.";
            case PATH_ENOENT -> "The path does not exist.";
            case PATH_EEXISTS -> "The path exists already.";
            case PATH_MISMATCH -> "The path needs an object or array where the document has another type.";
            case PATH_EINVAL -> "The path is not valid, or ends with a component that the operation does not support.";
            case PATH_E2BIG -> "The path has more than %d components.".formatted(SubdocLimits.MAX_PATH_COMPONENTS);
            case DOC_NOTJSON -> "The document is not JSON.";
            case DOC_E2DEEP, VALUE_ETOODEEP ->
                "The document is, or would be, nested deeper than %d levels.".formatted(SubdocLimits.MAX_DEPTH_LEVELS);
            case VALUE_CANTINSERT -> "The value is not allowed at this path, or the counter would exceed 64 bits.";
            case NUM_ERANGE -> "The number at the path does not fit into 64 bits.";
            case DELTA_EINVAL -> "The value of a counter operation must be a 64-bit integer other than 0.";
            case XATTR_UNKNOWN_VATTR, XATTR_UNKNOWN_VATTR_MACRO -> "The virtual attribute does not exist.";
            case CAN_ONLY_REVIVE_DELETED_DOCUMENTS -> "Document '%s' is not a tombstone.".formatted(key.id());
            case DELETED_DOCUMENT_CANT_HAVE_VALUE -> "A tombstone has attributes but no body.";
            case FIELD_NOT_BINARY_VALUE -> "The attribute does not hold a binary value.";
            default -> "The request failed: %s.".formatted(status);
        };
    }
}
