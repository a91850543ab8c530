package io.millrace.benchmarks.lives;

/** What a life has found. */
final class BrokenPromise extends RuntimeException {

    private static final long serialVersionUID = 1;

    BrokenPromise(String what) {
        super(what);
    }
}
