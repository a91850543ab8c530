package io.millrace.metakvservice.entries;

import io.millrace.documents.DocumentsException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/** Creates the buckets of this service on the first access that finds them missing. */
public final class BucketCreation {

    private BucketCreation() {}

    /** Makes a call, and repeats it once if its bucket or collection had to be created. */
    public static <T> Mono<T> whenMissed(Supplier<Mono<T>> call, Supplier<Mono<Void>> creation) {
        return Mono.defer(call)
                .onErrorResume(
                        BucketCreation::missing, failure -> creation.get().then(Mono.defer(call)));
    }

    /** Creates a bucket or collection, unless it exists. */
    public static Mono<Void> of(Supplier<CompletableFuture<?>> step) {
        return Mono.defer(() -> Mono.fromFuture(step.get()))
                .then()
                .onErrorResume(BucketCreation::alreadyThere, failure -> Mono.empty());
    }

    private static boolean missing(Throwable failure) {
        return failure instanceof DocumentsException known
                && switch (known.code()) {
                    case BUCKET_NOT_FOUND, SCOPE_NOT_FOUND, COLLECTION_NOT_FOUND -> true;
                    default -> false;
                };
    }

    private static boolean alreadyThere(Throwable failure) {
        return failure instanceof DocumentsException known
                && switch (known.code()) {
                    case BUCKET_EXISTS, COLLECTION_EXISTS -> true;
                    default -> false;
                };
    }
}
