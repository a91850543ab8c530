package io.millrace.metakvservice.entries;

import io.millrace.documents.DocumentsException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/** How a bucket of this service's own comes to be: nobody sets it up, it is created when it is first missed. */
public final class BucketCreation {

    private BucketCreation() {}

    /** Makes a call, once more when what it is about had to be created. */
    public static <T> Mono<T> whenMissed(Supplier<Mono<T>> call, Supplier<Mono<Void>> creation) {
        return Mono.defer(call)
                .onErrorResume(
                        BucketCreation::missing, failure -> creation.get().then(Mono.defer(call)));
    }

    /** Creates something, unless it is there. */
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
