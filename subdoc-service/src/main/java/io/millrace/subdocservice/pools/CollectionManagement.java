package io.millrace.subdocservice.pools;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.Catalog;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Keyspace;
import io.millrace.subdocservice.cluster.CollectionsManifest;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.http.HttpStatus;
import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** Scopes and collections, as SDKs manage them. The response to a change has the id of the manifest that contains it. */
final class CollectionManagement {

    private static final String NAME = "name";

    /** Settings of collections, each with the values that mean: not this. */
    private static final Map<String, Set<String>> ABSENT =
            Map.of("maxTTL", Set.of("0", "-1"), "history", Set.of("false"));

    private final Catalog catalog;

    CollectionManagement(Catalog catalog) {
        this.catalog = catalog;
    }

    static Mono<ServerResponse> manifest(BucketInfo bucket) {
        return ManagementAnswers.json(HttpStatus.OK, CollectionsManifest.json(bucket));
    }

    Mono<ServerResponse> createScope(ServerRequest request) {
        return named(request, name -> change(() -> catalog.createScope(bucket(request), name), name, ""));
    }

    Mono<ServerResponse> dropScope(ServerRequest request) {
        String scope = scope(request);
        return change(() -> catalog.dropScope(bucket(request), scope), scope, "");
    }

    Mono<ServerResponse> createCollection(ServerRequest request) {
        String scope = scope(request);
        return named(
                request,
                name -> change(
                        () -> catalog.createCollection(new Keyspace(bucket(request), scope, name)), scope, name));
    }

    /** Confirms the settings of a collection: none can differ from what it has. */
    Mono<ServerResponse> updateCollection(ServerRequest request) {
        Keyspace keyspace = collection(request);
        return checked(
                request,
                form -> change(
                        () -> catalog.find(keyspace.bucket())
                                .thenApply(found ->
                                        found.orElseThrow(() -> DocumentsException.bucketNotFound(keyspace.bucket())))
                                .thenApply(bucket -> containing(bucket, keyspace)),
                        keyspace.scope(),
                        keyspace.collection()));
    }

    private static BucketInfo containing(BucketInfo bucket, Keyspace keyspace) {
        if (!bucket.scopes().containsKey(keyspace.scope())) {
            throw DocumentsException.scopeNotFound(bucket.name(), keyspace.scope());
        }
        if (!bucket.has(keyspace)) {
            throw DocumentsException.collectionNotFound(keyspace);
        }
        return bucket;
    }

    Mono<ServerResponse> dropCollection(ServerRequest request) {
        Keyspace keyspace = collection(request);
        return change(() -> catalog.dropCollection(keyspace), keyspace.scope(), keyspace.collection());
    }

    private static Mono<ServerResponse> checked(
            ServerRequest request, Function<MultiValueMap<String, String>, Mono<ServerResponse>> next) {
        return Forms.answered(request, form -> {
            Map<String, String> errors = new TreeMap<>();
            form.toSingleValueMap().forEach((name, value) -> {
                Set<String> allowed = ABSENT.get(name);
                if (allowed != null && !allowed.contains(value)) {
                    errors.put(name, "%s is not supported by Millrace; leave it out".formatted(name));
                } else if (allowed == null && !name.equals(NAME)) {
                    errors.put(name, "%s is not a setting of a collection; leave it out".formatted(name));
                }
            });
            return errors.isEmpty() ? next.apply(form) : ManagementAnswers.errors(HttpStatus.BAD_REQUEST, errors);
        });
    }

    private static Mono<ServerResponse> named(ServerRequest request, Function<String, Mono<ServerResponse>> next) {
        return checked(request, form -> {
            String name = form.getFirst(NAME);
            return name == null || name.isBlank()
                    ? ManagementAnswers.fault(NAME, HttpStatus.BAD_REQUEST, "The value must be supplied")
                    : next.apply(name);
        });
    }

    private static Mono<ServerResponse> change(
            Supplier<CompletableFuture<BucketInfo>> step, String scope, String collection) {
        return Mono.fromFuture(step, true)
                .flatMap(changed -> ManagementAnswers.json(
                        HttpStatus.OK, BucketJson.bytes(Map.of("uid", CollectionsManifest.uid(changed)))))
                .onErrorResume(
                        DocumentsException.class, failure -> ManagementAnswers.failure(failure, scope, collection));
    }

    private static String bucket(ServerRequest request) {
        return request.pathVariable("bucket");
    }

    private static String scope(ServerRequest request) {
        return request.pathVariable("scope");
    }

    private static Keyspace collection(ServerRequest request) {
        return new Keyspace(bucket(request), scope(request), request.pathVariable("collection"));
    }
}
