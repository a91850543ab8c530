package io.millrace.couch.document;

import io.millrace.couch.CouchException;
import io.millrace.couch.CouchLimits;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for calls of the store. */
public final class StoreCalls {

    private StoreCalls() {}

    public static <T> T of(CompletableFuture<T> answer) {
        return of(answer, CouchLimits.STORE_TIMEOUT);
    }

    static <T> T of(CompletableFuture<T> answer, Duration limit) {
        try {
            return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw CouchException.of(
                    503,
                    "unavailable",
                    "The store did not answer within %d seconds, and may still carry out the request; try again later."
                            .formatted(limit.toSeconds()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CouchException.of(
                    503,
                    "unavailable",
                    "The request was interrupted because the service is stopping; try again later.");
        }
    }
}
