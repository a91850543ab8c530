package io.millrace.benchmarks;

import java.io.PrintStream;

/**
 * Measures the engine of documents, feeds and streams: in Redis compared with a plain SET in the same run, and over HTTP as a
 * reader of the changes feed sees it.
 */
final class ChangesBench {

    /**
     * The size of a run.
     *
     * @param rounds of everything that is compared, one kind after the other in each
     * @param operations of each kind in a round
     * @param documents in the feed that is read
     * @param samples of what is timed one by one
     */
    record Scale(int rounds, int operations, int documents, int samples) {
        public static final Scale FULL = new Scale(10, 20_000, 100_000, 1_000);
        public static final Scale SHORT = new Scale(3, 5_000, 5_000, 100);

        static Scale named(String name) {
            return name.equals("short") ? SHORT : FULL;
        }
    }

    private final Scale scale;
    private final PrintStream out;

    ChangesBench(Scale scale, PrintStream out) {
        this.scale = scale;
        this.out = out;
    }

    void run() throws Exception {
        new EngineCosts(scale, out).run();
        try (BenchSuite suite = BenchSuite.start()) {
            new FeedReaders(suite, scale, out).run();
        }
    }
}
