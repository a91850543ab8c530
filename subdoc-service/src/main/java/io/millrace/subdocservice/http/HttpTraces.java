package io.millrace.subdocservice.http;

import io.millrace.accessspring.GateAudit;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentStore.AtomicResult;
import io.millrace.documents.Origin;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.subdocservice.traces.Client;
import io.millrace.subdocservice.traces.WriteTraces;
import io.millrace.traces.TraceContext;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.server.ServerRequest;

/** Follows changes that clients make over HTTP. */
public final class HttpTraces {

    private final WriteTraces traces;
    private final Requester requester;
    private final String door;

    public HttpTraces(WriteTraces traces, Requester requester) {
        this(traces, requester, "http");
    }

    /** @param door the name of the way that clients take */
    public HttpTraces(WriteTraces traces, Requester requester, String door) {
        this.traces = traces;
        this.requester = requester;
        this.door = door;
    }

    /** Does one write that a request asks for. */
    public CompletableFuture<WriteResult> write(ServerRequest request, DocumentStore store, Write write) {
        return traces.write(write, parent(request), () -> client(request), store::write);
    }

    /** Does writes that a request asks for, all or none, see {@link DocumentStore#writeAtomically}. */
    CompletableFuture<AtomicResult> writeAtomically(ServerRequest request, DocumentStore store, List<Write> writes) {
        return traces.writeAtomically(writes, parent(request), () -> client(request), store::writeAtomically);
    }

    /** Does work that a request asks for, see {@link WriteTraces#follow}. */
    public <T> CompletableFuture<T> follow(
            ServerRequest request,
            DocumentKey key,
            Function<@Nullable Origin, CompletableFuture<T>> work,
            Function<T, String> problem) {
        return traces.follow(key, parent(request), () -> client(request), work, problem);
    }

    private static Optional<TraceContext> parent(ServerRequest request) {
        return TraceContext.ofHeader(request.headers().firstHeader(TraceContext.HEADER));
    }

    private Client client(ServerRequest request) {
        return new Client(
                door,
                request.method().name(),
                GateAudit.requestId(request.exchange().getRequest()),
                requester.subject(request).name());
    }
}
