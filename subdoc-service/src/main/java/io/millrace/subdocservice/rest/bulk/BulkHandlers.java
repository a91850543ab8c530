package io.millrace.subdocservice.rest.bulk;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.Expiry;
import io.millrace.documents.Keyspace;
import io.millrace.subdocservice.http.HttpTraces;
import io.millrace.subdocservice.rest.error.ApiError;
import io.millrace.subdocservice.rest.error.ApiException;
import io.millrace.subdocservice.rest.request.ContentTypes;
import io.millrace.subdocservice.rest.request.ExpiryRequest;
import io.millrace.subdocservice.rest.request.RequestPath;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Bulk loads: takes JSON lines, and responds with JSON lines of progress and a summary while they arrive. */
public final class BulkHandlers {

    private static final JsonMapper MAPPER = JsonMapper.shared();

    private final DocumentStore store;
    private final Function<Keyspace, Mono<Keyspace>> existing;
    private final InstantSource clock;
    private final HttpTraces traces;
    private final AtomicInteger loads = new AtomicInteger();

    public BulkHandlers(
            DocumentStore store, Function<Keyspace, Mono<Keyspace>> existing, InstantSource clock, HttpTraces traces) {
        this.store = store;
        this.existing = existing;
        this.clock = clock;
        this.traces = traces;
    }

    public Mono<ServerResponse> load(ServerRequest request) {
        Keyspace keyspace = RequestPath.keyspace(request);
        Expiry expiry = ExpiryRequest.of(request, clock.instant());
        ContentTypes.requireJsonLines(request);
        if (loads.get() >= BulkLimits.MAX_BULK_LOADS) {
            throw ApiException.of(
                    ApiError.TOO_MANY_LOADS,
                    "%d bulk loads are running, which is the limit.".formatted(BulkLimits.MAX_BULK_LOADS));
        }
        return existing.apply(keyspace)
                .flatMap(known -> ServerResponse.ok()
                        .contentType(MediaType.APPLICATION_NDJSON)
                        .build((exchange, context) -> answer(
                                exchange,
                                new BulkLoad(write -> traces.write(request, store, write), known, expiry, clock))));
    }

    private Mono<Void> answer(ServerWebExchange exchange, BulkLoad load) {
        ServerHttpResponse response = exchange.getResponse();
        Mono<Object> summary = Mono.fromFuture(load.summary(), true).cast(Object.class);
        Flux<Object> progress = Flux.interval(BulkLimits.BULK_PROGRESS_PERIOD)
                .onBackpressureDrop()
                .map(tick -> (Object) load.progress())
                .takeUntilOther(summary.onErrorComplete());
        Flux<Mono<DataBuffer>> lines = progress.concatWith(summary)
                .map(line -> Mono.fromSupplier(() -> line(response, line)))
                .doOnSubscribe(subscription -> {
                    loads.incrementAndGet();
                    exchange.getRequest().getBody().subscribe(load);
                })
                .doFinally(signal -> {
                    loads.decrementAndGet();
                    load.cancel();
                });
        return response.writeAndFlushWith(lines);
    }

    private static DataBuffer line(ServerHttpResponse response, Object line) {
        byte[] json = MAPPER.writeValueAsBytes(line);
        return response.bufferFactory()
                .allocateBuffer(json.length + 1)
                .write(json)
                .write((byte) '\n');
    }
}
