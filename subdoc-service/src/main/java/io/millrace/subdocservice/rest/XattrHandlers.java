package io.millrace.subdocservice.rest;

import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Expiry;
import io.millrace.documents.Limits;
import io.millrace.documents.TransactionId;
import io.millrace.documents.Write;
import io.millrace.json.JsonCursor;
import io.millrace.json.MalformedJson;
import io.millrace.subdocservice.http.HttpTraces;
import io.millrace.subdocservice.rest.error.ApiError;
import io.millrace.subdocservice.rest.error.ApiException;
import io.millrace.subdocservice.rest.request.ContentTypes;
import io.millrace.subdocservice.rest.request.Precondition;
import io.millrace.subdocservice.rest.request.RequestPath;
import java.nio.charset.StandardCharsets;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** The user's extended attributes of a document as one JSON object. */
final class XattrHandlers {

    private static final byte[] NONE = "{}".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] DROP = {};

    private final DocumentStore store;
    private final HttpTraces traces;

    XattrHandlers(DocumentStore store, HttpTraces traces) {
        this.store = store;
        this.traces = traces;
    }

    Mono<ServerResponse> get(ServerRequest request) {
        DocumentKey key = RequestPath.document(request);
        return Mono.fromFuture(() -> store.get(key), true)
                .flatMap(found ->
                        found.map(document -> found(key, document)).orElseGet(() -> WriteResponses.notFound(key)));
    }

    private static Mono<ServerResponse> found(DocumentKey key, Document document) {
        byte[] xattrs = document.userXattrs() == null ? NONE : document.userXattrs();
        return WriteResponses.bytes(
                ServerResponse.ok().headers(headers -> DocumentHandlers.describe(headers, key, document)),
                MediaType.APPLICATION_JSON,
                xattrs);
    }

    /** Replaces all of them; the body and the expiry of the document are kept. */
    Mono<ServerResponse> put(ServerRequest request) {
        DocumentKey key = RequestPath.document(request);
        Precondition precondition = Precondition.of(request.headers().asHttpHeaders());
        long cas = DocumentHandlers.cas(precondition);
        TransactionId transaction = DocumentHandlers.transaction(request);
        ContentTypes.requireJson(request);
        return ApiException.readUpTo(request, Limits.MAX_USER_XATTR_BYTES, ApiError.XATTRS_TOO_LARGE)
                .doOnNext(XattrHandlers::check)
                .flatMap(xattrs -> write(request, key, cas, xattrs, transaction, precondition, HttpStatus.OK));
    }

    Mono<ServerResponse> delete(ServerRequest request) {
        DocumentKey key = RequestPath.document(request);
        Precondition precondition = Precondition.of(request.headers().asHttpHeaders());
        TransactionId transaction = DocumentHandlers.transaction(request);
        return write(
                request,
                key,
                DocumentHandlers.cas(precondition),
                DROP,
                transaction,
                precondition,
                HttpStatus.NO_CONTENT);
    }

    private Mono<ServerResponse> write(
            ServerRequest request,
            DocumentKey key,
            long cas,
            byte[] xattrs,
            TransactionId transaction,
            Precondition precondition,
            HttpStatus success) {
        Write untouched = Write.touch(key, Expiry.PRESERVE);
        Write write = untouched
                .withXattrs(xattrs, untouched.systemXattrs())
                .withCas(cas)
                .withTransaction(transaction);
        return Mono.fromFuture(() -> traces.write(request, store, write), true)
                .flatMap(result -> WriteResponses.of(result, key, precondition, success));
    }

    private static void check(byte[] text) {
        DocumentHandlers.checkJson(text);
        try {
            JsonCursor cursor = new JsonCursor(text, 0, text.length);
            if (cursor.peek() != '{') {
                throw ApiException.of(ApiError.INVALID_XATTRS, "Extended attributes must be one JSON object.");
            }
            cursor.beginObject();
            while (cursor.nextMember()) {
                checkName(cursor.readName());
                cursor.skipValue();
            }
        } catch (MalformedJson e) {
            throw ApiException.of(e);
        }
    }

    private static void checkName(String name) {
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        boolean good = bytes >= 1
                && bytes <= RestLimits.MAX_XATTR_NAME_BYTES
                && Character.isLetterOrDigit(name.codePointAt(0))
                && name.chars().noneMatch(c -> c == '.' || c == '[' || c == ']' || c == 0);
        if (!good) {
            throw ApiException.of(
                    ApiError.INVALID_XATTRS,
                    "'%s' is not a valid name of an extended attribute: a name has 1 to %d bytes, starts with a letter or digit "
                                    .formatted(name, RestLimits.MAX_XATTR_NAME_BYTES)
                            + "('_' and '$' are reserved), and has no '.', '[' or ']'.");
        }
    }
}
