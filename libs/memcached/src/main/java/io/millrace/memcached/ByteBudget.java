package io.millrace.memcached;

import java.util.concurrent.atomic.AtomicLong;

/** Limits the bytes of requests that all connections together hold. Thread-safe. */
public final class ByteBudget {

    private final long limit;
    private final AtomicLong held = new AtomicLong();

    /** @param limit in bytes */
    public ByteBudget(long limit) {
        this.limit = limit;
    }

    /** Takes bytes from the budget; returns false and takes none if fewer are left. */
    public boolean take(int bytes) {
        if (held.addAndGet(bytes) <= limit) {
            return true;
        }
        held.addAndGet(-bytes);
        return false;
    }

    /** Returns bytes to the budget. */
    public void give(int bytes) {
        held.addAndGet(-bytes);
    }

    /** Returns how many bytes are taken. */
    public long held() {
        return held.get();
    }
}
