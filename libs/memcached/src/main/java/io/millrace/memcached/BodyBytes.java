package io.millrace.memcached;

/** Limits the bytes of requests that all connections together hold. Thread-safe. */
public interface BodyBytes {

    /**
     * Takes bytes for a body; returns false and takes none if fewer are left.
     *
     * @param whole the length of the whole body in bytes
     */
    boolean take(int bytes, int whole);

    /** Returns bytes. */
    void give(int bytes);
}
