package io.millrace.benchmarks;

import io.millrace.benchmarks.suite.Percentiles;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Prints measurements as a table, line by line. */
final class TimerTable {

    private final PrintStream out;

    TimerTable(PrintStream out) {
        this.out = out;
    }

    void head() {
        out.println();
        out.println("| | per second | per CPU-second | CPU per timer in µs | lag in ms: p50, p99, p99.9, max |");
        out.println("|---|---|---|---|---|");
    }

    void line(String what, String perSecond, String perCpuSecond, String cpu, String lag) {
        out.printf("| %s | %s | %s | %s | %s |%n", what, perSecond, perCpuSecond, cpu, lag);
        out.flush();
    }

    /** A measurement from its construction to {@link #done}. */
    final class Measurement {

        private final Supplier<Map<String, Duration>> cpu;
        private final Map<String, Duration> before;
        private final long began;

        /** @param cpu returns the CPU times of the measured processes so far */
        Measurement(Supplier<Map<String, Duration>> cpu) {
            this.cpu = cpu;
            before = cpu.get();
            began = System.nanoTime();
        }

        /** @param lags the lags of timers in milliseconds; null if not applicable */
        void done(String what, int count, @Nullable Percentiles lags) {
            double seconds = (System.nanoTime() - began) / 1e9;
            double sum = 0;
            StringJoiner parts = new StringJoiner(", ");
            for (Map.Entry<String, Duration> used : cpu.get().entrySet()) {
                Duration earlier =
                        Optional.ofNullable(before.get(used.getKey())).orElse(Duration.ZERO);
                double each = used.getValue().minus(earlier).toNanos() / 1e3 / count;
                sum += each;
                parts.add("%s %.1f".formatted(used.getKey(), each));
            }
            line(
                    what,
                    "%,.0f".formatted(count / seconds),
                    "%,.0f".formatted(1e6 / sum),
                    "%.1f: %s".formatted(sum, parts),
                    lags == null ? "" : text(lags));
        }

        private static String text(Percentiles lags) {
            return "%d, %d, %d, %d".formatted(lags.at(50), lags.at(99), lags.at(99.9), lags.at(100));
        }
    }
}
