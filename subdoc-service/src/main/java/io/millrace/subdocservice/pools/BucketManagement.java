package io.millrace.subdocservice.pools;

import static io.millrace.subdocservice.pools.ManagementAnswers.json;

import io.millrace.access.Access;
import io.millrace.access.Permission;
import io.millrace.access.Resource;
import io.millrace.access.Subject;
import io.millrace.documents.BucketInfo;
import io.millrace.documents.Catalog;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.subdocservice.cluster.ClusterConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/** Buckets, as SDKs manage them. */
final class BucketManagement {

    private static final int COUNTS_AT_ONCE = 4;

    private final DocumentStore store;
    private final Catalog catalog;

    BucketManagement(DocumentStore store) {
        this.store = store;
        this.catalog = store.catalog();
    }

    /** Lists the buckets of which a user may see anything. */
    Mono<ServerResponse> list(ClusterConfig config, Subject asker) {
        return Mono.fromFuture(catalog::list)
                .flatMap(all -> Flux.fromIterable(all)
                        .filter(bucket ->
                                Access.allowed(asker, Permission.BUCKET_ACCESS, Resource.bucket(bucket.name())))
                        .flatMapSequential(bucket -> shown(config, bucket), COUNTS_AT_ONCE)
                        .collectList())
                .flatMap((List<ObjectNode> all) -> json(HttpStatus.OK, BucketJson.bytes(all)));
    }

    Mono<ServerResponse> get(ClusterConfig config, BucketInfo bucket) {
        return shown(config, bucket).flatMap(body -> json(HttpStatus.OK, BucketJson.bytes(body)));
    }

    /** Returns the settings of a bucket as JSON, without the configuration of the cluster; nothing if it does not exist. */
    CompletableFuture<Optional<byte[]>> settings(String name) {
        return Mono.fromFuture(() -> catalog.find(name), true)
                .flatMap(Mono::justOrEmpty)
                .flatMap(bucket -> count(bucket).map(documents -> BucketJson.of(bucket, documents)))
                .map(BucketJson::bytes)
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .toFuture();
    }

    private Mono<ObjectNode> shown(ClusterConfig config, BucketInfo bucket) {
        return count(bucket).map(documents -> BucketJson.of(config, bucket, documents));
    }

    /** Counts the documents of a bucket; one that is dropped meanwhile is empty. */
    private Mono<Long> count(BucketInfo bucket) {
        return Flux.fromIterable(bucket.collectionNumbers().keySet())
                .flatMap(
                        keyspace -> Mono.fromFuture(() -> store.count(keyspace)).onErrorReturn(0L), COUNTS_AT_ONCE)
                .reduce(0L, Long::sum);
    }

    Mono<ServerResponse> create(ServerRequest request) {
        return Forms.answered(request, form -> {
            BucketForm read = BucketForm.read(form, true);
            String name = form.getFirst(BucketForm.NAME);
            if (name == null || !read.errors().isEmpty()) {
                return ManagementAnswers.errors(HttpStatus.BAD_REQUEST, read.errors());
            }
            return Mono.fromFuture(() -> catalog.createBucket(name, 1), true)
                    .flatMap(created -> Mono.fromFuture(() -> catalog.putSettings(name, read.settings()), true))
                    .flatMap(done -> ServerResponse.accepted()
                            .contentType(MediaType.APPLICATION_JSON)
                            .build());
        });
    }

    Mono<ServerResponse> update(ServerRequest request) {
        return Forms.answered(
                request,
                form -> existing(request).flatMap(bucket -> {
                    BucketForm read = BucketForm.read(form, false);
                    if (!read.errors().isEmpty()) {
                        return ManagementAnswers.errors(HttpStatus.BAD_REQUEST, read.errors());
                    }
                    Map<String, String> settings = new HashMap<>(bucket.settings());
                    settings.putAll(read.settings());
                    return Mono.fromFuture(() -> catalog.putSettings(bucket.name(), settings), true)
                            .flatMap(done -> done());
                }));
    }

    Mono<ServerResponse> drop(ServerRequest request) {
        return existing(request)
                .flatMap(bucket -> Mono.fromFuture(() -> catalog.dropBucket(bucket.name()), true)
                        .then(done()));
    }

    Mono<ServerResponse> flush(ServerRequest request) {
        return existing(request)
                .flatMap(bucket -> BucketJson.flushable(bucket)
                        ? Mono.fromFuture(() -> catalog.flushBucket(bucket.name()), true)
                                .flatMap(done -> done())
                        : ManagementAnswers.fault(
                                ManagementAnswers.WHOLE,
                                HttpStatus.BAD_REQUEST,
                                "Flush is disabled for the bucket; set flushEnabled to 1 first"));
    }

    private Mono<BucketInfo> existing(ServerRequest request) {
        String name = request.pathVariable("bucket");
        return Mono.fromFuture(() -> catalog.find(name), true)
                .flatMap(Mono::justOrEmpty)
                .switchIfEmpty(Mono.error(() -> DocumentsException.bucketNotFound(name)));
    }

    private static Mono<ServerResponse> done() {
        return ServerResponse.ok().contentType(MediaType.APPLICATION_JSON).build();
    }
}
