package io.millrace.eventing.producer;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.Catalog;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Keyspace;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.Retry;
import io.millrace.eventing.runtime.RuntimeEnvironment;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Looks up the buckets that a function cannot run without. Fails with {@link DocumentsException} when one does not exist. */
final class FunctionBuckets {

    private final FunctionSpec spec;
    private final RuntimeEnvironment environment;
    private final Retry retry;

    FunctionBuckets(FunctionSpec spec, RuntimeEnvironment environment, Retry retry) {
        this.spec = spec;
        this.environment = environment;
        this.retry = retry;
    }

    /** Returns the source bucket; that of event streams, as that of topics, is created when it is missed. */
    BucketInfo source() throws InterruptedException {
        Catalog catalog = environment.source(spec).catalog();
        Keyspace keyspace = spec.source().keyspace();
        if ((spec.source().ofEvents() || spec.source().ofMessages())
                && retry.call("find_bucket", () -> catalog.find(keyspace.bucket()))
                        .isEmpty()) {
            retry.call(
                    "create_source",
                    () -> catalog.createBucket(keyspace.bucket(), 1)
                            .exceptionallyCompose(failure -> catalog.find(keyspace.bucket())
                                    .thenCompose(found -> found.map(CompletableFuture::completedFuture)
                                            .orElseGet(() -> CompletableFuture.failedFuture(failure)))));
        }
        return find(catalog, keyspace);
    }

    /** Returns the bucket of the metadata. */
    BucketInfo metadata() throws InterruptedException {
        return find(
                environment.documents().catalog(),
                new Keyspace(spec.metadata().bucket(), FunctionSpec.WILDCARD, FunctionSpec.WILDCARD));
    }

    private BucketInfo find(Catalog catalog, Keyspace keyspace) throws InterruptedException {
        BucketInfo bucket = retry.call("find_bucket", () -> catalog.find(keyspace.bucket()))
                .orElseThrow(() -> DocumentsException.bucketNotFound(keyspace.bucket()));
        String scope = keyspace.scope();
        if (scope.equals(FunctionSpec.WILDCARD)) {
            return bucket;
        }
        List<String> collections = bucket.scopes().get(scope);
        if (collections == null) {
            throw DocumentsException.scopeNotFound(keyspace.bucket(), scope);
        }
        if (!keyspace.collection().equals(FunctionSpec.WILDCARD) && !collections.contains(keyspace.collection())) {
            throw DocumentsException.collectionNotFound(keyspace);
        }
        return bucket;
    }
}
