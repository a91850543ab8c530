package io.millrace.eventing.runtime;

import io.millrace.documents.DocumentsException;
import io.millrace.eventing.consumer.Backoff;
import io.millrace.eventing.runtime.RuntimeEnvironment.RuntimeSettings;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Repeats calls to Redis until they succeed, so that an outage delays a function without losing anything. */
public final class Retry {

    private static final Logger LOG = LoggerFactory.getLogger(Retry.class);

    private final String function;
    private final StopSignal stop;
    private final RuntimeSettings settings;

    public Retry(String function, StopSignal stop, RuntimeSettings settings) {
        this.function = function;
        this.stop = stop;
        this.settings = settings;
    }

    /**
     * Returns the result of the first call that succeeds.
     *
     * @param what the call's name in log lines
     * @throws CancellationException when the function is stopped meanwhile
     * @throws DocumentsException when a repetition cannot succeed
     */
    public <T> T call(String what, Supplier<CompletableFuture<T>> call) throws InterruptedException {
        Backoff backoff = new Backoff(settings.firstRetry(), settings.longestRetry());
        for (int failures = 0; ; failures++) {
            if (stop.stopped()) {
                throw new CancellationException("The function is being stopped");
            }
            try {
                T result = call.get().get();
                if (failures > 0) {
                    LOG.info("event=recovered function={} call={} after_failures={}", function, what, failures);
                }
                return result;
            } catch (ExecutionException e) {
                Throwable cause = cause(e);
                if (!worthRepeating(cause)) {
                    throw cause instanceof RuntimeException known
                            ? known
                            : new IllegalStateException(what + " failed", cause);
                }
                if (failures == 0) {
                    LOG.warn("event=retry function={} call={} reason=\"{}\"", function, what, cause.toString());
                }
            }
            waitOut(backoff.next());
        }
    }

    /**
     * Returns the result of the first call that succeeds and does so in time; each is repeated after a pause. Returns nothing if
     * the function is stopped meanwhile.
     *
     * @param atMost how long one call may take
     * @param failed told of each that failed, or was late
     */
    public <T> Optional<T> inTime(Duration atMost, Supplier<CompletableFuture<T>> call, Consumer<Exception> failed)
            throws InterruptedException {
        while (true) {
            try {
                return Optional.of(call.get().get(atMost.toMillis(), TimeUnit.MILLISECONDS));
            } catch (ExecutionException | TimeoutException e) {
                failed.accept(e);
                if (stop.await(settings.longestRetry())) {
                    return Optional.empty();
                }
            }
        }
    }

    public static Throwable cause(ExecutionException e) {
        return Objects.requireNonNullElse(e.getCause(), e);
    }

    private static boolean worthRepeating(Throwable failure) {
        return !(failure instanceof DocumentsException known) || known.unavailable();
    }

    private void waitOut(Duration wait) throws InterruptedException {
        if (stop.await(wait)) {
            throw new CancellationException("The function is being stopped");
        }
    }
}
