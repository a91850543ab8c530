package io.millrace.benchmarks.lives;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/**
 * Lives of functions that are drawn from seeds, one after another on one suite: each is deployed, swapped, paused, resumed and
 * undeployed, its worker processes and its node are killed, and another node joins and leaves, while documents change. The first
 * life that breaks a promise of delivery ends the run; its seed lives it again.
 */
public final class LivesBench {

    private static final int COUNT = 1_000;

    private final long seed;
    private final int count;
    private final PrintStream out;

    LivesBench(long seed, int count, PrintStream out) {
        this.seed = seed;
        this.count = count;
        this.out = out;
    }

    /** Reads the arguments behind the name of the benchmark: the first seed, and how many lives. */
    public static LivesBench of(List<String> args, PrintStream out) {
        try {
            long seed = args.isEmpty() ? 1 : Long.parseLong(args.getFirst());
            int count = args.size() < 2 ? COUNT : Integer.parseInt(args.get(1));
            if (args.size() > 2 || count < 1) {
                throw new NumberFormatException();
            }
            return new LivesBench(seed, count, out);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "Expected a seed and a number of lives, such as '1 1000', not '" + String.join(" ", args) + "'.");
        }
    }

    /** Returns whether every life kept the promises. */
    public boolean run() throws IOException, InterruptedException {
        try (LivesNode node = LivesNode.start(out)) {
            for (long each = seed; each < seed + count; each++) {
                Life life = new Life(each, node);
                try {
                    life.run();
                    out.printf("life %d kept its promises: %s%n", each, life.steps());
                } catch (IOException | RuntimeException broken) {
                    out.printf(
                            "life %d failed: %s; steps: %s%nIt is lived again with: ./millrace bench lives %d 1%n",
                            each, broken.getMessage(), life.steps(), each);
                    return false;
                }
            }
        }
        out.printf("%d lives from seed %d: no promise was broken%n", count, seed);
        return true;
    }
}
