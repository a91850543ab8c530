package io.millrace.testkit;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Starts a suite on one data directory again and again and interrupts it at random moments: during the start, or while
 * clients write. An interrupt leaves no process and no lock, and the next start has every acknowledged write. Linux only.
 */
public final class StartCycles {

    private static final int MOST_WRITES = 200;

    private final List<String> up;
    private final Path directory;
    private final Random random;
    private final Consumer<String> say;
    private final AcknowledgedWrites writes = new AcknowledgedWrites();
    private Duration start = Duration.ZERO;
    private Duration longestEnd = Duration.ZERO;

    /**
     * Creates cycles without starting anything.
     *
     * @param up the command that starts a suite
     * @param directory of data and logs; empty
     * @param seed determines the moments
     * @param say receives a line about each cycle
     */
    public StartCycles(List<String> up, Path directory, long seed, Consumer<String> say) {
        this.up = List.copyOf(up);
        this.directory = directory;
        this.random = new Random(seed);
        this.say = say;
    }

    /**
     * Runs at least two cycles; the first and the last one become ready, and the last one only reads.
     *
     * @return the number of acknowledged writes, all of which were read after the last start
     * @throws IllegalStateException if something was left or lost; what was left is killed
     */
    public int run(int cycles) throws IOException, InterruptedException {
        for (int cycle = 1; cycle <= cycles; cycle++) {
            boolean last = cycle == cycles;
            boolean becomesReady = cycle == 1 || last || random.nextInt(3) == 0;
            StartedSuite suite = new StartedSuite(up, directory);
            try {
                String what = becomesReady ? readyCycle(suite, last) : interruptedStart(suite);
                say.accept("cycle %d of %d: %s".formatted(cycle, cycles, what));
            } catch (IOException | InterruptedException | RuntimeException e) {
                suite.kill();
                throw e;
            }
        }
        say.accept("%d cycles: no process and no lock left, %d acknowledged writes read; the longest end took %.1f s"
                .formatted(cycles, writes.count(), seconds(longestEnd)));
        return writes.count();
    }

    private String readyCycle(StartedSuite suite, boolean last) throws IOException, InterruptedException {
        start = suite.awaitReady();
        writes.check(suite);
        int before = writes.count();
        Duration end;
        if (last) {
            end = end(suite);
        } else {
            try (AcknowledgedWrites.Writing writing = writes.begin(suite)) {
                writing.await(1 + random.nextInt(MOST_WRITES));
                end = end(suite);
            }
        }
        return "ready after %.1f s, %d earlier writes read, %d acknowledged, ended in %.1f s"
                .formatted(seconds(start), before, writes.count() - before, seconds(end));
    }

    private String interruptedStart(StartedSuite suite) throws IOException, InterruptedException {
        Duration age = Duration.ofNanos((long) (start.toNanos() * random.nextDouble()));
        suite.awaitAge(age);
        return "interrupted %.1f s after the start, ended in %.1f s".formatted(seconds(age), seconds(end(suite)));
    }

    private Duration end(StartedSuite suite) throws IOException, InterruptedException {
        Duration end = suite.interrupt();
        longestEnd = end.compareTo(longestEnd) > 0 ? end : longestEnd;
        return end;
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1e3;
    }
}
