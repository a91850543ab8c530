package io.millrace.subdocservice.rest;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.WriteResult;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** The answers to writes: the one table from {@link WriteResult} to HTTP. */
final class Written {

    /** Says that this is the answer to a repetition: the write was done once, by an earlier request. */
    static final String REPLAYED = "Idempotent-Replayed";

    static final String SEQNO = "Millrace-Seqno";
    static final String VBUCKET = "Millrace-Vbucket";
    static final String EXPIRY = "Millrace-Expiry";

    private Written() {}

    /** Answers a write of a document that had this precondition. */
    static Mono<ServerResponse> answer(
            WriteResult result, DocumentKey key, Precondition precondition, HttpStatus success) {
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
        return Refusals.answer(
                ApiError.DOCUMENT_NOT_FOUND,
                "There is no document '%s' in %s; it may have been deleted or have expired."
                        .formatted(key.id(), key.keyspace()));
    }

    private static Mono<ServerResponse> success(WriteResult.Written written, DocumentKey key, HttpStatus status) {
        int vbucket = key.vbucket();
        var response = ServerResponse.status(status).headers(headers -> {
            headers.set(HttpHeaders.ETAG, "\"" + written.cas() + '"');
            headers.set(SEQNO, Long.toString(written.cas()));
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
        return Refusals.answer(
                asked ? ApiError.PRECONDITION_FAILED : ApiError.DOCUMENT_EXISTS,
                "Document '%s' exists in %s. PUT without a precondition replaces it."
                        .formatted(key.id(), key.keyspace()),
                Precondition.etag(current));
    }

    private static Mono<ServerResponse> locked(long current, DocumentKey key) {
        return Refusals.answer(
                ApiError.DOCUMENT_LOCKED,
                "Somebody has locked document '%s'. Repeat the change when the lock has ended, after 30 seconds at the latest."
                        .formatted(key.id()),
                Precondition.etag(current));
    }

    private static Mono<ServerResponse> mismatch(long current, DocumentKey key) {
        @Nullable String etag = Precondition.etag(current);
        String message = etag == null
                ? "Document '%s' does not exist (any more), so it has no version that If-Match could name."
                        .formatted(key.id())
                : "Document '%s' is now at the version in this answer's ETag. Read it again and repeat the change."
                        .formatted(key.id());
        return Refusals.answer(ApiError.PRECONDITION_FAILED, message, etag);
    }

    /** Answers with bytes as they are, past the codecs. */
    static Mono<ServerResponse> bytes(ServerResponse.BodyBuilder response, MediaType type, byte[] body) {
        return response.contentType(type).contentLength(body.length).build((exchange, context) -> {
            var http = exchange.getResponse();
            return http.writeWith(Mono.just(http.bufferFactory().wrap(body)));
        });
    }
}
