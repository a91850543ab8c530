package io.millrace.subdocservice.rest.live;

import io.millrace.documents.Branch;
import io.millrace.documents.BucketChanges;
import io.millrace.documents.BucketInfo;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Keyspace;
import io.millrace.httpdoor.HeldBytes;
import io.millrace.httpdoor.SentPieces;
import io.millrace.n1ql.DocumentCondition;
import io.millrace.n1ql.QueryException;
import io.millrace.subdocservice.http.Requester;
import io.millrace.subdocservice.rest.error.ApiError;
import io.millrace.subdocservice.rest.error.ApiException;
import io.millrace.subdocservice.rest.request.RequestPath;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

/** Live queries over HTTP. */
public final class LiveQueries {

    private static final String EVERYTHING = "TRUE";

    private final DocumentStore store;
    private final Requester requester;
    private final Scheduler threads = Schedulers.fromExecutor(Thread::startVirtualThread);
    private final LiveTurns turns = new LiveTurns();
    private final Map<Text, Shared> filters = new ConcurrentHashMap<>();
    private final Map<String, Integer> byUser = new ConcurrentHashMap<>();

    /** What queries with the same filter on the same collection have in common. */
    private record Text(Keyspace keyspace, String filter) {}

    private record Shared(LiveFilter filter, int queries) {}

    public LiveQueries(DocumentStore store, Requester requester) {
        this.store = store;
        this.requester = requester;
    }

    /** Answers a request for the documents that match, and for what changes. */
    public Mono<ServerResponse> follow(ServerRequest request) {
        Keyspace keyspace = RequestPath.keyspace(request);
        String text =
                request.queryParam("filter").filter(given -> !given.isBlank()).orElse(EVERYTHING);
        DocumentCondition condition = condition(text);
        Optional<LivePosition> known = known(request);
        String user = requester.subject(request).name();
        requireRoom(user);
        return bucket(keyspace)
                .flatMap(bucket -> begin(bucket, keyspace, known)
                        .flatMap(begin -> ServerResponse.ok()
                                .contentType(MediaType.TEXT_EVENT_STREAM)
                                .cacheControl(CacheControl.noStore())
                                .build((exchange, context) -> request.method().equals(HttpMethod.HEAD)
                                        ? exchange.getResponse().setComplete()
                                        : send(exchange, bucket, new Text(keyspace, text), condition, begin, user))));
    }

    /** A page with a WebSocket cannot send the header. */
    private static Optional<LivePosition> known(ServerRequest request) {
        return Optional.ofNullable(request.headers().firstHeader("Last-Event-ID"))
                .filter(id -> !id.isEmpty())
                .or(() -> request.queryParam("since").filter(id -> !id.isEmpty()))
                .map(LivePosition::parse);
    }

    private static DocumentCondition condition(String text) {
        try {
            DocumentCondition condition = DocumentCondition.of(text);
            if (condition.readsOld()) {
                throw ApiException.of(
                        ApiError.INVALID_PARAMETER,
                        "The filter '%s' uses META().old, which filters of functions have. Compare the events enter, change and leave instead."
                                .formatted(text));
            }
            return condition;
        } catch (QueryException e) {
            throw ApiException.of(
                    ApiError.INVALID_PARAMETER,
                    "The filter '%s' cannot be used: %s Write a condition as behind WHERE, such as type = \"order\" AND total > 100."
                            .formatted(text, e.getMessage()));
        }
    }

    private Mono<BucketInfo> bucket(Keyspace keyspace) {
        return Mono.fromFuture(() -> store.catalog().find(keyspace.bucket()), true)
                .map(found -> found.orElseThrow(() -> DocumentsException.bucketNotFound(keyspace.bucket())))
                .doOnNext(bucket -> {
                    if (!bucket.has(keyspace)) {
                        throw bucket.scopes().containsKey(keyspace.scope())
                                ? DocumentsException.collectionNotFound(keyspace)
                                : DocumentsException.scopeNotFound(keyspace.bucket(), keyspace.scope());
                    }
                });
    }

    /** Returns where a query begins; fails when Redis has lost what the client knows. */
    private Mono<LivePosition> begin(BucketInfo bucket, Keyspace keyspace, Optional<LivePosition> from) {
        int collection = bucket.collectionNumber(keyspace).orElseThrow();
        Mono<Long> newest = Mono.fromFuture(() -> store.inOrder(bucket).high(), true);
        if (from.isEmpty()) {
            return newest.map(high -> new LivePosition(collection, 0, high));
        }
        LivePosition known = from.get();
        return newest.zipWith(branch(bucket), (high, branch) -> {
            boolean lost = known.collection() != collection
                    || known.seqno() > high
                    || branch.lost(known.seqno())
                    || (bucket.shards() > 1
                            && known.seqno() > 0
                            && known.seqno() < BucketInfo.firstSeqno(bucket.incarnation()));
            if (lost) {
                throw ApiException.of(
                        ApiError.HISTORY_LOST,
                        "The changes of %s after the event %s are not all there any more.".formatted(keyspace, known));
            }
            return known;
        });
    }

    /** The order of several shards begins again with each incarnation, so only that of one has a branch. */
    private Mono<Branch> branch(BucketInfo bucket) {
        return bucket.shards() > 1
                ? Mono.just(Branch.NONE)
                : Mono.fromFuture(() -> store.branch(bucket.name(), 0), true);
    }

    private Mono<Void> send(
            ServerWebExchange exchange,
            BucketInfo bucket,
            Text text,
            DocumentCondition condition,
            LivePosition begin,
            String user) {
        byUser.merge(user, 1, Integer::sum);
        BucketChanges changes = store.inOrder(bucket);
        LiveQuery query = new LiveQuery(
                text.keyspace(),
                changes,
                join(text, condition),
                turns,
                begin,
                HeldBytes.of(exchange),
                () -> isThere(text.keyspace(), begin.collection()),
                LiveLimits.HEARTBEAT);
        ServerHttpResponse response = exchange.getResponse();
        return response.writeAndFlushWith(pieces(query, response)
                        .map(piece -> Mono.just(response.bufferFactory().wrap(piece))))
                .doFinally(end -> {
                    query.close();
                    leave(text);
                    byUser.computeIfPresent(user, (name, own) -> own == 1 ? null : own - 1);
                });
    }

    /** Asks for the next piece when the last one has been sent. While Redis is unavailable, asks again. */
    private Flux<byte[]> pieces(LiveQuery query, ServerHttpResponse response) {
        AtomicBoolean more = new AtomicBoolean(true);
        Mono<byte[]> piece = Mono.fromCallable(() -> {
                    byte[] made = query.next();
                    more.set(made != null);
                    return made == null ? new byte[0] : made;
                })
                .subscribeOn(threads)
                .retryWhen(Retry.fixedDelay(Long.MAX_VALUE, LiveLimits.RETRY)
                        .filter(failure -> failure instanceof DocumentsException e && e.unavailable()));
        return SentPieces.await(response).then(piece).repeat(more::get).filter(made -> made.length > 0);
    }

    private CompletableFuture<Boolean> isThere(Keyspace keyspace, int collection) {
        return store.catalog()
                .find(keyspace.bucket())
                .thenApply(found -> found.filter(
                                bucket -> bucket.collectionNumber(keyspace).orElse(-1) == collection)
                        .isPresent());
    }

    private void requireRoom(String user) {
        int all = byUser.values().stream().mapToInt(own -> own).sum();
        if (all >= LiveLimits.MAX_LIVE_QUERIES
                || byUser.getOrDefault(user, 0) >= LiveLimits.MAX_LIVE_QUERIES_PER_USER) {
            throw ApiException.of(
                    ApiError.TOO_MANY_LIVE_QUERIES,
                    "This process runs as many live queries as it may: %d of one user and %d in all."
                            .formatted(LiveLimits.MAX_LIVE_QUERIES_PER_USER, LiveLimits.MAX_LIVE_QUERIES));
        }
    }

    private LiveFilter join(Text text, DocumentCondition condition) {
        return filters.compute(
                        text,
                        (same, shared) -> shared == null
                                ? new Shared(new LiveFilter(condition), 1)
                                : new Shared(shared.filter(), shared.queries() + 1))
                .filter();
    }

    private void leave(Text text) {
        filters.computeIfPresent(
                text,
                (same, shared) -> shared.queries() == 1 ? null : new Shared(shared.filter(), shared.queries() - 1));
    }
}
