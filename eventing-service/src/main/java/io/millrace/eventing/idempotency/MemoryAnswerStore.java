package io.millrace.eventing.idempotency;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Records in memory, for tests. */
final class MemoryAnswerStore implements AnswerStore {

    private record Kept(byte[] record, Instant until) {}

    private final InstantSource clock;
    private final Map<String, Kept> records = new HashMap<>();
    private final Map<String, Long> bytes = new HashMap<>();

    MemoryAnswerStore(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public synchronized CompletableFuture<Optional<byte[]>> claim(String key, byte[] record) {
        Instant now = clock.instant();
        Kept kept = records.get(key);
        if (kept != null && kept.until().isAfter(now)) {
            return CompletableFuture.completedFuture(
                    Arrays.equals(kept.record(), record) ? Optional.empty() : Optional.of(kept.record()));
        }
        records.put(key, new Kept(record, now.plus(RETENTION)));
        return CompletableFuture.completedFuture(Optional.empty());
    }

    @Override
    public synchronized CompletableFuture<Void> replace(String key, byte[] record) {
        records.computeIfPresent(key, (same, kept) -> new Kept(record, kept.until()));
        return CompletableFuture.allOf();
    }

    @Override
    public synchronized CompletableFuture<Void> release(String key, byte[] record) {
        records.computeIfPresent(key, (same, kept) -> Arrays.equals(kept.record(), record) ? null : kept);
        return CompletableFuture.allOf();
    }

    @Override
    public synchronized CompletableFuture<Boolean> reserve(String function, long more) {
        String window = function + ':' + clock.millis() / RETENTION.toMillis();
        long sum = bytes.getOrDefault(window, 0L) + more;
        if (sum > MAX_BYTES_PER_FUNCTION) {
            return CompletableFuture.completedFuture(false);
        }
        bytes.put(window, sum);
        return CompletableFuture.completedFuture(true);
    }
}
