package io.millrace.memcached;

import java.util.concurrent.atomic.AtomicLong;

/** How many bytes of requests all connections together may hold. Thread-safe. */
public final class ByteBudget {

    private final long limit;
    private final AtomicLong held = new AtomicLong();

    /** @param limit in bytes */
    public ByteBudget(long limit) {
        this.limit = limit;
    }

    /** Takes bytes, or returns false when there are not as many left. */
    public boolean take(int bytes) {
        if (held.addAndGet(bytes) <= limit) {
            return true;
        }
        held.addAndGet(-bytes);
        return false;
    }

    /** Gives back what was taken. */
    public void give(int bytes) {
        held.addAndGet(-bytes);
    }

    /** Returns how many bytes are taken now. */
    public long held() {
        return held.get();
    }
}
