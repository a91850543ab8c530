package io.millrace.subdocservice.rest;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.WriteResult;
import io.millrace.httpdoor.HeldBytes;
import io.millrace.subdocservice.rest.error.ApiError;
import io.millrace.subdocservice.rest.error.ErrorResponses;
import io.millrace.subdocservice.rest.request.Precondition;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** The responses to writes: the one table from {@link WriteResult} to HTTP. */
final class WriteResponses {

    /** Marks the response to a repetition: an earlier request did the write. */
    static final String REPLAYED = "Idempotent-Replayed";

    static final String SEQNO = "Millrace-Seqno";
    static final String VBUCKET = "Millrace-Vbucket";
    static final String EXPIRY = "Millrace-Expiry";

    private WriteResponses() {}

    /** Responds to a write that stores a body: 201 if it created the document, 200 if it replaced one. */
    static Mono<ServerResponse> stored(WriteResult result, DocumentKey key, Precondition precondition) {
        HttpStatus success =
                result instanceof WriteResult.Written written && written.created() ? HttpStatus.CREATED : HttpStatus.OK;
        return of(result, key, precondition, success);
    }

    /** Responds to a write of a document that had this precondition. */
    static Mono<ServerResponse> of(WriteResult result, DocumentKey key, Precondition precondition, HttpStatus success) {
        return switch (result) {
            case WriteResult.Written written -> success(written, key, success);
            case WriteResult.CasMismatch mismatch -> mismatch(mismatch.current(), key);
            case WriteResult.AlreadyExists exists -> exists(exists.current(), key, precondition);
            case WriteResult.Locked locked -> locked(locked.current(), key);
            case WriteResult.NotFound ignored ->
                precondition instanceof Precondition.None ? notFound(key) : mismatch(0, key);
        };
    }

    static Mono<ServerResponse> notFound(DocumentKey key) {
        return ErrorResponses.of(
                ApiError.DOCUMENT_NOT_FOUND, "Document '%s' does not exist in %s.".formatted(key.id(), key.keyspace()));
    }

    private static Mono<ServerResponse> success(WriteResult.Written written, DocumentKey key, HttpStatus status) {
        int vbucket = key.vbucket();
        var response = ServerResponse.status(status).headers(headers -> {
            headers.set(HttpHeaders.ETAG, "\"" + written.cas() + '"');
            headers.set(SEQNO, Long.toString(written.seqno()));
            headers.set(VBUCKET, Integer.toString(vbucket));
            if (written.repeated()) {
                headers.set(REPLAYED, "true");
            }
        });
        if (status == HttpStatus.NO_CONTENT) {
            return response.build();
        }
        String body = "{\"cas\":" + written.cas() + ",\"vbucket\":" + vbucket + "}";
        return bytes(response, MediaType.APPLICATION_JSON, body.getBytes(StandardCharsets.US_ASCII));
    }

    private static Mono<ServerResponse> exists(long current, DocumentKey key, Precondition precondition) {
        boolean asked = precondition instanceof Precondition.Absent;
        return ErrorResponses.of(
                asked ? ApiError.PRECONDITION_FAILED : ApiError.DOCUMENT_EXISTS,
                "Document '%s' exists in %s.".formatted(key.id(), key.keyspace()),
                Precondition.etag(current));
    }

    private static Mono<ServerResponse> locked(long current, DocumentKey key) {
        return ErrorResponses.of(
                ApiError.DOCUMENT_LOCKED,
                "Document '%s' is locked by another client.".formatted(key.id()),
                Precondition.etag(current));
    }

    private static Mono<ServerResponse> mismatch(long current, DocumentKey key) {
        @Nullable String etag = Precondition.etag(current);
        String message = etag == null
                ? "Document '%s' does not exist, so it does not have the version in If-Match.".formatted(key.id())
                : "Document '%s' has another version than If-Match; this response has its present ETag."
                        .formatted(key.id());
        return ErrorResponses.of(ApiError.PRECONDITION_FAILED, message, etag);
    }

    /** Writes the bytes as they are, without the codecs. */
    static Mono<ServerResponse> bytes(ServerResponse.BodyBuilder response, MediaType type, byte[] body) {
        return response.contentType(type).contentLength(body.length).build((exchange, context) -> {
            HeldBytes.of(exchange).hold(body.length);
            var http = exchange.getResponse();
            return http.writeWith(Mono.just(http.bufferFactory().wrap(body)));
        });
    }
}
