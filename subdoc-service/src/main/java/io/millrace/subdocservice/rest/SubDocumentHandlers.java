package io.millrace.subdocservice.rest;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.TransactionId;
import io.millrace.subdoc.Request;
import io.millrace.subdoc.Request.DocFlag;
import io.millrace.subdoc.Status;
import io.millrace.subdocservice.http.HttpTraces;
import io.millrace.subdocservice.rest.error.ApiError;
import io.millrace.subdocservice.rest.error.ApiException;
import io.millrace.subdocservice.rest.request.ContentTypes;
import io.millrace.subdocservice.rest.request.ExpiryRequest;
import io.millrace.subdocservice.rest.request.Precondition;
import io.millrace.subdocservice.rest.request.RequestPath;
import io.millrace.subdocservice.subdocuments.SubDocumentExecutor;
import io.millrace.subdocservice.subdocuments.SubDocumentExecutor.ExecutionResult;
import io.millrace.subdocservice.subdocuments.SubDocumentExecutor.WriteOptions;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** Parts of documents: {@code lookup-in} and {@code mutate-in}, one operation or several at once. */
final class SubDocumentHandlers {

    private static final List<String> WRITES_ONLY = List.of(ExpiryRequest.PARAMETER, ExpiryRequest.PRESERVE_PARAMETER);

    private final SubDocumentExecutor executor;
    private final InstantSource clock;
    private final HttpTraces traces;

    SubDocumentHandlers(SubDocumentExecutor executor, InstantSource clock, HttpTraces traces) {
        this.executor = executor;
        this.clock = clock;
        this.traces = traces;
    }

    Mono<ServerResponse> lookUp(ServerRequest request) {
        DocumentKey key = RequestPath.document(request);
        Precondition precondition = Precondition.of(request.headers().asHttpHeaders());
        long cas = DocumentHandlers.cas(precondition);
        for (String parameter : WRITES_ONLY) {
            if (request.queryParam(parameter).isPresent()) {
                throw ApiException.of(
                        ApiError.INVALID_PARAMETER, "A look-up takes no parameter %s.".formatted(parameter));
            }
        }
        return body(request, false)
                .flatMap(body -> execute(
                        request, key, body.request().withCas(cas), WriteOptions.defaults(), false, precondition));
    }

    Mono<ServerResponse> mutate(ServerRequest request) {
        DocumentKey key = RequestPath.document(request);
        Precondition precondition = Precondition.of(request.headers().asHttpHeaders());
        WriteOptions options = WriteOptions.defaults()
                .withExpiry(ExpiryRequest.of(request, clock.instant()))
                .withTransaction(transaction(request));
        return body(request, true)
                .flatMap(body -> execute(
                        request,
                        key,
                        conditional(body.request(), precondition),
                        options.withFlags(body.userFlags()),
                        true,
                        precondition));
    }

    private static Mono<SpecsReader.Body> body(ServerRequest request, boolean mutation) {
        ContentTypes.requireJson(request);
        return ApiException.readUpTo(request, RestLimits.MAX_SPECS_BYTES, ApiError.BODY_TOO_LARGE)
                .map(text -> SpecsReader.read(text, mutation));
    }

    private static @Nullable TransactionId transaction(ServerRequest request) {
        // without the header no look-up of the transaction is needed
        return request.headers().firstHeader(DocumentHandlers.IDEMPOTENCY_KEY) == null
                ? null
                : DocumentHandlers.transaction(request, "MUTATE-IN");
    }

    private static Request conditional(Request request, Precondition precondition) {
        return switch (precondition) {
            case Precondition.None ignored -> request;
            case Precondition.Version version -> request.withCas(version.cas());
            case Precondition.Absent ignored -> request.withDocFlags(request.docFlags() | DocFlag.ADD);
            case Precondition.Exists ignored -> {
                if ((request.docFlags() & (DocFlag.MKDOC | DocFlag.ADD)) != 0) {
                    throw ApiException.of(
                            ApiError.INVALID_HEADER,
                            "If-Match: * needs an existing document, but \"mkdoc\" and \"add\" create one.");
                }
                yield request;
            }
        };
    }

    private Mono<ServerResponse> execute(
            ServerRequest http,
            DocumentKey key,
            Request request,
            WriteOptions options,
            boolean mutation,
            Precondition precondition) {
        Mono<ExecutionResult> executed = request.mutation() == mutation
                ? Mono.fromFuture(
                        () -> mutation ? mutate(http, key, request, options) : executor.execute(key, request), true)
                : Mono.just(ExecutionResult.refused(Status.INVALID_COMBO, 0));
        return executed.flatMap(done -> done.status().success() || lookedUp(done, mutation)
                ? SubDocumentResponses.success(done, key, request)
                : SubDocumentResponses.error(done, key, precondition));
    }

    private CompletableFuture<ExecutionResult> mutate(
            ServerRequest http, DocumentKey key, Request request, WriteOptions options) {
        return traces.follow(
                http,
                key,
                origin -> executor.execute(key, request, options.withOrigin(origin)),
                ExecutionResult::problem);
    }

    /** A look-up of several paths succeeds even if some of them do not exist. */
    private static boolean lookedUp(ExecutionResult done, boolean mutation) {
        return !mutation
                && (done.status() == Status.MULTI_PATH_FAILURE || done.status() == Status.MULTI_PATH_FAILURE_DELETED);
    }
}
