package io.millrace.benchmarks;

import io.millrace.benchmarks.suite.SampleDocuments;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.BitSet;
import tools.jackson.databind.JsonNode;

/**
 * Documents that set how long their handler computes, and the check of the results. The handler steps a number generator;
 * its end value can be computed without the steps, so that checking a result is cheap.
 */
final class ScaleoutWork {

    static final String HANDLER = """
            function OnUpdate(doc, meta) {
                const rounds = doc.rounds;
                let value = doc.number;
                for (let i = 0; i < rounds; i++) {
                    value = (Math.imul(value, 1664525) + 1013904223) | 0;
                }
                handled[meta.id] = {number: doc.number, rounds: rounds, value: value};
            }
            """;

    static final String SOURCE = "work";
    static final String TARGET = "handled";

    private static final Duration BETWEEN = Duration.ofMillis(10);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final BenchSuite suite;
    private int written;
    private int rounds;

    /**
     * The result of all writes.
     *
     * @param lost documents without a result
     * @param wrong documents with a wrong result
     * @param repeated handler calls beyond the first
     */
    record Verdict(int documents, int lost, int wrong, long repeated) {}

    /** @param rounds the initial number of rounds that a handler computes */
    ScaleoutWork(BenchSuite suite, int rounds) {
        this.suite = suite;
        this.rounds = rounds;
    }

    int rounds() {
        return rounds;
    }

    /** Sets the rounds for documents written from now on. */
    void rounds(int wanted) {
        rounds = wanted;
    }

    long handled() {
        return suite.mutations(TARGET);
    }

    /** Writes for a while and keeps a backlog of about this many mutations. */
    void run(Duration length, int waiting) throws InterruptedException {
        long end = System.nanoTime() + length.toNanos();
        while (System.nanoTime() < end) {
            int missing = (int) (waiting - (written - handled()));
            if (missing > waiting / 10) {
                suite.write(SOURCE, written, missing, this::body);
                written += missing;
            } else {
                suite.pause(BETWEEN);
            }
        }
    }

    /** Waits until the backlog is empty. */
    void drain() throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (handled() < written) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(
                        written - handled() + " mutations are still unhandled after " + PATIENCE);
            }
            suite.pause(BETWEEN);
        }
    }

    private byte[] body(int number) {
        String order = new String(SampleDocuments.body(number, System.currentTimeMillis()), StandardCharsets.UTF_8);
        return (order.substring(0, order.length() - 1) + ",\"rounds\":" + rounds + "}")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Checks every result; waits a while for missing ones. */
    Verdict verdict() throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        Verdict verdict = look();
        while (verdict.lost() > 0 && System.nanoTime() < end) {
            suite.pause(Duration.ofSeconds(1));
            verdict = look();
        }
        return verdict;
    }

    private Verdict look() {
        BitSet right = new BitSet(written);
        BitSet wrong = new BitSet(written);
        suite.forEach(TARGET, result -> {
            int number = result.path("number").asInt();
            (isRight(result) ? right : wrong).set(number);
        });
        int found = right.cardinality() + wrong.cardinality();
        return new Verdict(written, written - found, wrong.cardinality(), handled() - found);
    }

    static boolean isRight(JsonNode result) {
        int number = result.path("number").asInt();
        return result.path("value").asInt()
                == value(number, result.path("rounds").asInt());
    }

    /** Returns the result of the handler in as many steps as {@code rounds} has bits: two steps combine to one step. */
    static int value(int number, int rounds) {
        int factor = 1_664_525;
        int summand = 1_013_904_223;
        int value = number;
        for (int left = rounds; left > 0; left >>= 1) {
            if ((left & 1) == 1) {
                value = value * factor + summand;
            }
            summand = (factor + 1) * summand;
            factor *= factor;
        }
        return value;
    }
}
