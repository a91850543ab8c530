package io.millrace.subdocservice.rest;

import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Expiry;
import io.millrace.documents.Limits;
import io.millrace.documents.TransactionId;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.json.JsonCursor;
import io.millrace.json.MalformedJson;
import io.millrace.subdocservice.http.HttpTraces;
import io.millrace.subdocservice.rest.error.ApiError;
import io.millrace.subdocservice.rest.error.ApiException;
import io.millrace.subdocservice.rest.request.ContentTypes;
import io.millrace.subdocservice.rest.request.ExpiryRequest;
import io.millrace.subdocservice.rest.request.Precondition;
import io.millrace.subdocservice.rest.request.RequestPath;
import java.time.InstantSource;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** Whole documents: read, insert, upsert, replace, remove, touch. */
final class DocumentHandlers {

    static final String IDEMPOTENCY_KEY = "Idempotency-Key";

    private final DocumentStore store;
    private final InstantSource clock;
    private final HttpTraces traces;

    DocumentHandlers(DocumentStore store, InstantSource clock, HttpTraces traces) {
        this.store = store;
        this.clock = clock;
        this.traces = traces;
    }

    /** GET and HEAD. Spring compares the ETag with If-None-Match. */
    Mono<ServerResponse> get(ServerRequest request) {
        DocumentKey key = RequestPath.document(request);
        return Mono.fromFuture(() -> store.get(key), true)
                .flatMap(found ->
                        found.map(document -> found(key, document)).orElseGet(() -> WriteResponses.notFound(key)));
    }

    private static Mono<ServerResponse> found(DocumentKey key, Document document) {
        MediaType type =
                document.datatype() == Datatype.JSON ? MediaType.APPLICATION_JSON : MediaType.APPLICATION_OCTET_STREAM;
        return WriteResponses.bytes(
                ServerResponse.ok().headers(headers -> describe(headers, key, document)), type, document.body());
    }

    static void describe(HttpHeaders headers, DocumentKey key, Document document) {
        headers.set(HttpHeaders.ETAG, "\"" + document.cas() + '"');
        headers.set(WriteResponses.SEQNO, Long.toString(document.seqno()));
        headers.set(WriteResponses.VBUCKET, Integer.toString(key.vbucket()));
        if (document.expiry() != null) {
            headers.set(WriteResponses.EXPIRY, document.expiry().toString());
        }
    }

    /** PUT: an upsert, or what the precondition demands. */
    Mono<ServerResponse> put(ServerRequest request) {
        DocumentKey key = RequestPath.document(request);
        Precondition precondition = Precondition.of(request.headers().asHttpHeaders());
        Draft draft = draft(request, key);
        return body(request, draft.datatype()).flatMap(body -> switch (precondition) {
            case Precondition.None ignored -> store(request, draft.write(Write.Kind.UPSERT, 0, body), precondition);
            case Precondition.Absent ignored -> store(request, draft.write(Write.Kind.INSERT, 0, body), precondition);
            case Precondition.Exists ignored -> store(request, draft.write(Write.Kind.REPLACE, 0, body), precondition);
            case Precondition.Version version ->
                store(request, draft.write(Write.Kind.REPLACE, version.cas(), body), precondition);
        });
    }

    /** POST: insert. */
    Mono<ServerResponse> post(ServerRequest request) {
        DocumentKey key = RequestPath.document(request);
        if (!(Precondition.of(request.headers().asHttpHeaders()) instanceof Precondition.None)) {
            throw ApiException.of(
                    ApiError.INVALID_HEADER,
                    "POST always creates a document and takes neither If-Match nor If-None-Match. For a conditional write use PUT.");
        }
        Draft draft = draft(request, key);
        return body(request, draft.datatype())
                .flatMap(body -> store(request, draft.write(Write.Kind.INSERT, 0, body), new Precondition.None()));
    }

    Mono<ServerResponse> delete(ServerRequest request) {
        DocumentKey key = RequestPath.document(request);
        Precondition precondition = Precondition.of(request.headers().asHttpHeaders());
        Write write = Write.remove(key).withCas(cas(precondition)).withTransaction(transaction(request));
        // 404 and not 412 for a missing document, whatever version was expected (RFC 9110, 13.2.1)
        return Mono.fromFuture(() -> traces.write(request, store, write), true)
                .flatMap(result -> missing(result)
                        ? WriteResponses.notFound(key)
                        : WriteResponses.of(result, key, precondition, HttpStatus.NO_CONTENT));
    }

    private static boolean missing(WriteResult result) {
        return result instanceof WriteResult.NotFound || result.equals(new WriteResult.CasMismatch(0));
    }

    /** POST to {@code touch}: changes the expiry only. */
    Mono<ServerResponse> touch(ServerRequest request) {
        DocumentKey key = RequestPath.document(request);
        Precondition precondition = Precondition.of(request.headers().asHttpHeaders());
        Write write = Write.touch(key, ExpiryRequest.of(request, clock.instant()))
                .withCas(cas(precondition))
                .withTransaction(transaction(request));
        return Mono.fromFuture(() -> traces.write(request, store, write), true)
                .flatMap(result -> WriteResponses.of(result, key, precondition, HttpStatus.OK));
    }

    /** Returns the version that a precondition of an existing document names, 0 for any. */
    static long cas(Precondition precondition) {
        return switch (precondition) {
            case Precondition.Version version -> version.cas();
            case Precondition.None ignored -> 0;
            case Precondition.Exists ignored -> 0;
            case Precondition.Absent ignored ->
                throw ApiException.of(
                        ApiError.INVALID_HEADER, "If-None-Match: * is allowed only where a document may be created.");
        };
    }

    private Mono<ServerResponse> store(ServerRequest request, Write write, Precondition precondition) {
        return Mono.fromFuture(() -> traces.write(request, store, write), true)
                .flatMap(result -> result instanceof WriteResult.Written done && done.repeated()
                        ? checkRepetition(write, done)
                        : Mono.just(result))
                .flatMap(result -> WriteResponses.stored(result, write.key(), precondition));
    }

    /** The store remembers keys, not bodies: they can be compared as long as the document is as the first write left it. */
    private Mono<WriteResult> checkRepetition(Write write, WriteResult.Written first) {
        return Mono.fromFuture(() -> store.get(write.key()), true).map(found -> {
            if (found.filter(document -> document.cas() == first.cas())
                    .filter(document -> !Arrays.equals(document.body(), write.body()))
                    .isPresent()) {
                throw ApiException.of(
                        ApiError.IDEMPOTENCY_KEY_REUSED,
                        "The first request with this Idempotency-Key wrote another body; nothing was changed.");
            }
            return first;
        });
    }

    /** What the head of a request says about the write. */
    private record Draft(DocumentKey key, Datatype datatype, Expiry expiry, TransactionId transaction) {

        Write write(Write.Kind kind, long cas, byte[] body) {
            Write bare = switch (kind) {
                case INSERT -> Write.insert(key, body);
                case UPSERT -> Write.upsert(key, body);
                case REPLACE -> Write.replace(key, body);
                case REMOVE, TOMBSTONE -> throw new IllegalArgumentException("A removal has no body");
            };
            return bare.withCas(cas).withDatatype(datatype).withExpiry(expiry).withTransaction(transaction);
        }
    }

    private Draft draft(ServerRequest request, DocumentKey key) {
        return new Draft(
                key,
                ContentTypes.ofDocument(request),
                ExpiryRequest.of(request, clock.instant()),
                transaction(request));
    }

    static TransactionId transaction(ServerRequest request) {
        // with the method: a DELETE with the key of a PUT does not repeat it
        return transaction(request, request.method().name());
    }

    /** Returns the transaction of the Idempotency-Key, distinct for each kind of write; a random one without the header. */
    static TransactionId transaction(ServerRequest request, String kind) {
        @Nullable String key = request.headers().firstHeader(IDEMPOTENCY_KEY);
        if (key == null) {
            return TransactionId.random();
        }
        if (key.isBlank() || key.length() > RestLimits.MAX_IDEMPOTENCY_KEY_CHARS) {
            throw ApiException.of(
                    ApiError.INVALID_HEADER,
                    "An Idempotency-Key must have 1 to %d characters.".formatted(RestLimits.MAX_IDEMPOTENCY_KEY_CHARS));
        }
        return TransactionId.of(kind + " " + key);
    }

    private static Mono<byte[]> body(ServerRequest request, Datatype datatype) {
        Mono<byte[]> body = ApiException.readUpTo(request, Limits.MAX_DOCUMENT_BYTES, ApiError.DOCUMENT_TOO_LARGE);
        return datatype == Datatype.JSON ? body.doOnNext(DocumentHandlers::checkJson) : body;
    }

    static void checkJson(byte[] text) {
        try {
            JsonCursor.check(text);
        } catch (MalformedJson e) {
            throw ApiException.of(e);
        }
    }
}
