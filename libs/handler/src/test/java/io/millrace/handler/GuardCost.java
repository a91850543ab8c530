package io.millrace.handler;

import io.millrace.handler.sandbox.Guard;
import io.millrace.handler.sandbox.GuardTicker;
import io.millrace.handler.sandbox.Guarded;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalLong;
import org.graalvm.polyglot.Context;

/**
 * Prints what a {@link Guard} costs an invocation, in nanoseconds of the thread's processor time: the lesser of several
 * runs, because the machine may have other work. {@code ./millrace bench handlers} starts it.
 */
final class GuardCost {
    private static final int RUNS = 8;
    private static final int INVOCATIONS = 5_000_000;

    private GuardCost() {}

    private static final class Unguarded implements Guarded {
        @Override
        public void stuck(String why) {
            System.err.println(why);
        }

        @Override
        public void keepsTooMuch(String why) {
            System.err.println(why);
        }
    }

    public static void main(String[] arguments) {
        try (var context = Context.create();
                var ticker = GuardTicker.start()) {
            var guard =
                    new Guard(context, OptionalLong::empty, 1L << 30, Duration.ofSeconds(20), new Unguarded(), ticker);
            ticker.add(guard);
            double least = Double.MAX_VALUE;
            for (int run = 0; run < RUNS; run++) {
                least = Math.min(least, nanos(guard));
            }
            System.out.printf(Locale.ROOT, "%.0f%n", least);
        }
    }

    private static double nanos(Guard guard) {
        var threads = ManagementFactory.getThreadMXBean();
        long began = threads.getCurrentThreadCpuTime();
        for (int i = 0; i < INVOCATIONS; i++) {
            guard.begin(Duration.ofMinutes(1));
            if (guard.end() != null) {
                throw new IllegalStateException("An invocation that does nothing was stopped");
            }
        }
        return (threads.getCurrentThreadCpuTime() - began) / (double) INVOCATIONS;
    }
}
