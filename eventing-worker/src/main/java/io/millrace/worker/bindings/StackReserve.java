package io.millrace.worker.bindings;

/**
 * Makes sure that a call of the host has the stack that it needs. A handler may call it at the very end of its stack;
 * an overflow must then come before anything has been changed, not in the middle.
 */
final class StackReserve {

    /** Some 10 KiB as compiled code, several times that while interpreted; the calls behind it need less than half. */
    private static final int DEPTH = 160;

    private StackReserve() {}

    /** Throws a {@link StackOverflowError} when too little stack is left. */
    static void require() {
        if (dig(DEPTH, 1, 2, 3, 4, 5, 6) == 0) {
            throw new AssertionError("The sum of positive numbers");
        }
    }

    private static long dig(int depth, long a, long b, long c, long d, long e, long f) {
        return depth == 0 ? a + b + c + d + e + f : dig(depth - 1, b, c, d, e, f, a) + a;
    }
}
