package io.millrace.gateway.limits;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How many requests to one service may run at the same time. The limit follows the service: while it is in use, each
 * success raises it by one; a response that says that the service is overloaded, or none in time, lowers it by a tenth.
 * One client may use half of it, so that the others always find room. When several clients use all of it, a client that has
 * no request in flight still gets one, out of a reserve.
 *
 * <p>What runs when the service starts to fail fails together; therefore the limit falls once per {@link #PAUSE} only.
 */
public final class InFlightLimit {

    static final Duration PAUSE = Duration.ofMillis(100);

    private static final double BACK_OFF = 0.9;

    /** Requests beyond the limit of clients that have no other one in flight; connections for them are in the pool. */
    public static final int RESERVE = 64;

    private final int min;
    private final int max;
    private final LongSupplier nanoTime;
    private final Map<String, Integer> byClient = new HashMap<>();
    private int limit;
    private int running;
    private @Nullable Long loweredAt;

    public InFlightLimit(int min, int max, LongSupplier nanoTime) {
        this.min = min;
        this.max = max;
        this.nanoTime = nanoTime;
        this.limit = Math.max(min, max / 2);
    }

    /** What a request says about the load of its service. */
    public enum Outcome {
        SUCCESS,
        OVERLOADED,
        /** Neither: the client ended it, or no connection was made. */
        UNKNOWN
    }

    /** The answer to a request that wants to run. */
    public enum Admission {
        ADMITTED,
        CLIENT_FULL,
        SERVICE_FULL
    }

    /** Admits a request, which {@link #leave} must end, or refuses it. */
    public synchronized Admission enter(String client) {
        int own = byClient.getOrDefault(client, 0);
        if (running >= (own == 0 ? limit + RESERVE : limit)) {
            return Admission.SERVICE_FULL;
        }
        if (own >= share()) {
            return Admission.CLIENT_FULL;
        }
        byClient.put(client, own + 1);
        running++;
        return Admission.ADMITTED;
    }

    /** Ends a request that was admitted. */
    public synchronized void leave(String client) {
        running--;
        byClient.computeIfPresent(client, (name, own) -> own == 1 ? null : own - 1);
    }

    /** Adapts the limit to how a request ended that is still in flight. */
    public synchronized void observe(Outcome outcome) {
        switch (outcome) {
            case SUCCESS -> {
                if (running >= share()) {
                    limit = Math.min(max, limit + 1);
                }
            }
            case OVERLOADED -> lower();
            case UNKNOWN -> {}
        }
    }

    private void lower() {
        long now = nanoTime.getAsLong();
        if (loweredAt == null || now - loweredAt >= PAUSE.toNanos()) {
            loweredAt = now;
            limit = Math.max(min, (int) (limit * BACK_OFF));
        }
    }

    /** Returns how many requests one client may have in flight. */
    public synchronized int share() {
        return Math.max(1, limit / 2);
    }

    public synchronized int limit() {
        return limit;
    }

    public synchronized int running() {
        return running;
    }
}
