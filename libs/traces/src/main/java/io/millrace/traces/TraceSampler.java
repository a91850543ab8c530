package io.millrace.traces;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides which changes of clients are followed: those whose sender asks for it with {@code traceparent}, and of all others a few
 * per second and bucket. Both have a limit, so that the cost does not grow with the load. Thread-safe.
 */
public final class TraceSampler {

    /** Follows nothing. */
    public static final TraceSampler NEVER = new TraceSampler(0, 0, System::nanoTime);

    private static final double NANOS_PER_SECOND = 1e9;

    private final long pauseNanos;
    private final long requestedPauseNanos;
    private final LongSupplier nanos;
    private final Map<String, AtomicLong> nextOfBucket = new ConcurrentHashMap<>();
    private final AtomicLong nextRequested;

    /**
     * @param perSecond how many changes of a bucket are followed per second without being asked for; 0 for none
     * @param requestedPerSecond how many at most that are asked for, of all buckets; 0 for none
     * @param nanos a clock such as {@link System#nanoTime}
     */
    public TraceSampler(double perSecond, double requestedPerSecond, LongSupplier nanos) {
        this.pauseNanos = pause(perSecond);
        this.requestedPauseNanos = pause(requestedPerSecond);
        this.nanos = nanos;
        this.nextRequested = new AtomicLong(nanos.getAsLong());
    }

    private static long pause(double perSecond) {
        return perSecond <= 0 ? Long.MAX_VALUE : (long) Math.max(1, NANOS_PER_SECOND / perSecond);
    }

    /**
     * Returns the span of a change of a client.
     *
     * @param parent the span that led to the change, if its sender records the trace
     * @return null if it is not followed
     */
    public @Nullable TraceContext follow(String bucket, Optional<TraceContext> parent) {
        return parent.isPresent()
                ? admits(nextRequested, requestedPauseNanos, (int) Math.max(1, NANOS_PER_SECOND / requestedPauseNanos))
                        ? parent.get().next()
                        : null
                : pauseNanos != Long.MAX_VALUE && admits(ofBucket(bucket), pauseNanos, TracesLimits.BURST)
                        ? TraceContext.random()
                        : null;
    }

    private @Nullable AtomicLong ofBucket(String bucket) {
        AtomicLong next = nextOfBucket.get(bucket);
        return next != null || nextOfBucket.size() >= TracesLimits.MAX_BUCKETS
                ? next
                : nextOfBucket.computeIfAbsent(bucket, any -> new AtomicLong(nanos.getAsLong()));
    }

    /** Counts as a bucket that loses one unit per pause: {@code next} is when it will be empty. */
    private boolean admits(@Nullable AtomicLong next, long pause, int burst) {
        if (next == null || pause == Long.MAX_VALUE) {
            return false;
        }
        long now = nanos.getAsLong();
        long empty = next.get();
        long from = empty - now < 0 ? now : empty;
        return from - now <= pause * (burst - 1) && next.compareAndSet(empty, from + pause);
    }
}
