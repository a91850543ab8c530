package io.millrace.memcached;

/** Bytes of bodies up to a limit, counted by one thread. */
final class CountedBytes implements BodyBytes {

    private final long limit;
    private long held;

    CountedBytes(long limit) {
        this.limit = limit;
    }

    @Override
    public boolean take(int bytes, int whole) {
        if (held + bytes > limit) {
            return false;
        }
        held += bytes;
        return true;
    }

    @Override
    public void give(int bytes) {
        held -= bytes;
    }

    long held() {
        return held;
    }
}
