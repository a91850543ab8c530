package io.millrace.documents;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** What tests of document stores need again and again. */
public final class StoreKit {

    private static final AtomicInteger BUCKETS = new AtomicInteger();
    private static final long RUN = ProcessHandle.current().pid();

    private StoreKit() {}

    /** A clock that stands until it is moved. */
    public static final class Clock implements InstantSource {
        private volatile Instant now = Instant.parse("2026-01-02T03:04:05.678Z");

        @Override
        public Instant instant() {
            return now;
        }

        public void advance(Duration by) {
            now = now.plus(by);
        }
    }

    /** Returns the name of a bucket that no other test uses, also not one in another process on the same Redis. */
    public static String uniqueBucket() {
        return "test." + RUN + "-" + BUCKETS.incrementAndGet();
    }

    /** Waits for an answer, at most 20 seconds, and throws what it failed with. */
    public static <T> T await(CompletionStage<T> answer) {
        try {
            return answer.toCompletableFuture().get(2, TimeUnit.MINUTES);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new AssertionError(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("No answer in time", e);
        }
    }

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public static String text(byte @Nullable [] bytes) {
        return new String(Objects.requireNonNull(bytes), StandardCharsets.UTF_8);
    }
}
