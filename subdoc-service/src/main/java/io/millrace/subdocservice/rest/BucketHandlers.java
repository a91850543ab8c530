package io.millrace.subdocservice.rest;

import io.millrace.access.Access;
import io.millrace.access.Permission;
import io.millrace.access.Resource;
import io.millrace.documents.BucketInfo;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Keyspace;
import io.millrace.subdocservice.http.Requester;
import io.millrace.subdocservice.rest.error.ApiError;
import io.millrace.subdocservice.rest.error.ApiException;
import io.millrace.subdocservice.rest.request.RequestPath;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Buckets, scopes and collections, with the number of live documents in each. */
final class BucketHandlers {

    private static final int COUNTS_AT_ONCE = 64;

    record CollectionBody(String name, long documents) {}

    record ScopeBody(String name, long documents, List<CollectionBody> collections) {}

    record BucketBody(String name, int shards, long documents, List<ScopeBody> scopes) {}

    private final DocumentStore store;
    private final Requester requester;

    BucketHandlers(DocumentStore store, Requester requester) {
        this.store = store;
        this.requester = requester;
    }

    /** Lists the buckets of which the asking user may see anything. */
    Mono<ServerResponse> list(ServerRequest request) {
        return Mono.fromFuture(() -> store.catalog().list(), true)
                .flatMapIterable(Function.identity())
                .filter(bucket -> Access.allowed(
                        requester.subject(request), Permission.BUCKET_ACCESS, Resource.bucket(bucket.name())))
                .sort((a, b) -> a.name().compareTo(b.name()))
                .flatMapSequential(bucket -> describe(bucket).onErrorResume(goneMeanwhile(), e -> Mono.empty()), 4)
                .collectList()
                .flatMap(buckets -> json(HttpStatus.OK, buckets));
    }

    Mono<ServerResponse> get(ServerRequest request) {
        return bucket(RequestPath.bucket(request))
                .flatMap(this::describe)
                .flatMap(bucket -> json(HttpStatus.OK, bucket));
    }

    /** Creates a bucket, or confirms that it exists with the same number of shards. */
    Mono<ServerResponse> put(ServerRequest request) {
        String name = RequestPath.bucket(request);
        return ContainerSettings.ofBucket(request)
                .flatMap(shards -> find(name)
                        .map(existing -> confirm(existing, shards))
                        .flatMap(existing -> describe(existing).flatMap(body -> json(HttpStatus.OK, body)))
                        .switchIfEmpty(Mono.defer(() -> create(name, shards))));
    }

    private Mono<ServerResponse> create(String name, int shards) {
        return Mono.fromFuture(
                        () -> store.catalog().createBucket(name, shards == ContainerSettings.ANY_SHARDS ? 1 : shards),
                        true)
                .flatMap(this::describe)
                .flatMap(body -> json(HttpStatus.CREATED, body));
    }

    private static BucketInfo confirm(BucketInfo existing, int shards) {
        if (shards != ContainerSettings.ANY_SHARDS && shards != existing.shards()) {
            throw ApiException.of(
                    ApiError.BUCKET_EXISTS,
                    "Bucket '%s' exists with %d shards, and the number of shards cannot change."
                            .formatted(existing.name(), existing.shards()));
        }
        return existing;
    }

    Mono<ServerResponse> delete(ServerRequest request) {
        String name = RequestPath.bucket(request);
        return Mono.fromFuture(() -> store.catalog().dropBucket(name), true)
                .then(ServerResponse.noContent().build());
    }

    Mono<ServerResponse> listScopes(ServerRequest request) {
        return bucket(RequestPath.bucket(request))
                .flatMap(this::describe)
                .flatMap(bucket -> json(HttpStatus.OK, bucket.scopes()));
    }

    Mono<ServerResponse> getScope(ServerRequest request) {
        return scope(request).flatMap(scope -> json(HttpStatus.OK, scope));
    }

    Mono<ServerResponse> putScope(ServerRequest request) {
        String bucket = RequestPath.bucket(request);
        String scope = RequestPath.scope(request);
        return ContainerSettings.ofScope(request)
                .then(Mono.defer(() -> createUnless(
                        bucket,
                        info -> info.scopes().containsKey(scope),
                        () -> Mono.fromFuture(() -> store.catalog().createScope(bucket, scope), true),
                        DocumentsException.Code.SCOPE_EXISTS,
                        scope(request))));
    }

    Mono<ServerResponse> deleteScope(ServerRequest request) {
        String bucket = RequestPath.bucket(request);
        String scope = RequestPath.scope(request);
        return Mono.fromFuture(() -> store.catalog().dropScope(bucket, scope), true)
                .then(ServerResponse.noContent().build());
    }

    Mono<ServerResponse> listCollections(ServerRequest request) {
        return scope(request).flatMap(scope -> json(HttpStatus.OK, scope.collections()));
    }

    Mono<ServerResponse> getCollection(ServerRequest request) {
        return collection(RequestPath.keyspace(request)).flatMap(body -> json(HttpStatus.OK, body));
    }

    Mono<ServerResponse> putCollection(ServerRequest request) {
        Keyspace keyspace = RequestPath.keyspace(request);
        return ContainerSettings.ofCollection(request)
                .then(Mono.defer(() -> createUnless(
                        keyspace.bucket(),
                        info -> info.has(keyspace),
                        () -> Mono.fromFuture(() -> store.catalog().createCollection(keyspace), true),
                        DocumentsException.Code.COLLECTION_EXISTS,
                        collection(keyspace))));
    }

    Mono<ServerResponse> deleteCollection(ServerRequest request) {
        Keyspace keyspace = RequestPath.keyspace(request);
        return Mono.fromFuture(() -> store.catalog().dropCollection(keyspace), true)
                .then(ServerResponse.noContent().build());
    }

    /** Creates a scope or collection unless it exists; a concurrent creation by another request counts as existing. */
    private Mono<ServerResponse> createUnless(
            String bucket,
            Predicate<BucketInfo> there,
            Supplier<Mono<BucketInfo>> creation,
            DocumentsException.Code exists,
            Mono<?> description) {
        Mono<HttpStatus> status = bucket(bucket)
                .flatMap(info -> there.test(info)
                        ? Mono.just(HttpStatus.OK)
                        : creation.get()
                                .map(created -> HttpStatus.CREATED)
                                .onErrorResume(code(exists), e -> Mono.just(HttpStatus.OK)));
        return status.flatMap(code -> description.flatMap(body -> json(code, body)));
    }

    private Mono<BucketInfo> find(String name) {
        return Mono.fromFuture(() -> store.catalog().find(name), true).flatMap(Mono::justOrEmpty);
    }

    private Mono<BucketInfo> bucket(String name) {
        return find(name).switchIfEmpty(Mono.error(() -> DocumentsException.bucketNotFound(name)));
    }

    private Mono<ScopeBody> scope(ServerRequest request) {
        String bucket = RequestPath.bucket(request);
        String scope = RequestPath.scope(request);
        return bucket(bucket).flatMap(info -> {
            List<String> collections = info.scopes().get(scope);
            return collections == null
                    ? Mono.error(DocumentsException.scopeNotFound(bucket, scope))
                    : describe(bucket, scope, collections);
        });
    }

    private Mono<CollectionBody> collection(Keyspace keyspace) {
        return existing(keyspace).flatMap(this::describe);
    }

    /** Returns the keyspace if it exists, and fails otherwise. */
    Mono<Keyspace> existing(Keyspace keyspace) {
        return bucket(keyspace.bucket()).flatMap(info -> {
            if (info.has(keyspace)) {
                return Mono.just(keyspace);
            }
            return Mono.error(
                    info.scopes().containsKey(keyspace.scope())
                            ? DocumentsException.collectionNotFound(keyspace)
                            : DocumentsException.scopeNotFound(keyspace.bucket(), keyspace.scope()));
        });
    }

    private Mono<BucketBody> describe(BucketInfo bucket) {
        return Flux.fromIterable(bucket.scopes().entrySet())
                .flatMapSequential(scope -> describe(bucket.name(), scope.getKey(), scope.getValue()), 4)
                .collectList()
                .map(scopes -> new BucketBody(
                        bucket.name(),
                        bucket.shards(),
                        scopes.stream().mapToLong(ScopeBody::documents).sum(),
                        scopes));
    }

    private Mono<ScopeBody> describe(String bucket, String scope, List<String> names) {
        return Flux.fromIterable(names)
                .flatMapSequential(
                        name -> describe(new Keyspace(bucket, scope, name))
                                .onErrorResume(goneMeanwhile(), e -> Mono.empty()),
                        COUNTS_AT_ONCE)
                .collectList()
                .map(collections -> new ScopeBody(
                        scope,
                        collections.stream()
                                .mapToLong(CollectionBody::documents)
                                .sum(),
                        collections));
    }

    private Mono<CollectionBody> describe(Keyspace keyspace) {
        return Mono.fromFuture(() -> store.count(keyspace), true)
                .map(count -> new CollectionBody(keyspace.collection(), count));
    }

    private static Predicate<Throwable> goneMeanwhile() {
        return code(DocumentsException.Code.COLLECTION_NOT_FOUND)
                .or(code(DocumentsException.Code.SCOPE_NOT_FOUND))
                .or(code(DocumentsException.Code.BUCKET_NOT_FOUND));
    }

    private static Predicate<Throwable> code(DocumentsException.Code code) {
        return failure -> failure instanceof DocumentsException e && e.code() == code;
    }

    private static Mono<ServerResponse> json(HttpStatus status, Object body) {
        return ServerResponse.status(status)
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(body);
    }
}
