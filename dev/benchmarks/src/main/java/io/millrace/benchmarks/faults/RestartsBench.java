package io.millrace.benchmarks.faults;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * Restarts the Redis under at least 1,000 writes a second and a function that counts. Restarts that lose nothing repeat
 * nothing, start no worker and use up no incarnation; one that loses the last second of the file repeats only what came after that.
 */
public final class RestartsBench {

    private static final int STANDARD_COUNT = 200;
    private static final int STANDARD_DOCUMENTS = 1_000_000;

    /** The writes a second that must be acknowledged between two restarts. */
    private static final int LEAST_RATE = 1_000;

    /** What the clients try; more, as a write that comes late is not made up for. */
    private static final int RATE = 1_100;

    /** How much is written between two restarts. */
    private static final int WRITES_BETWEEN = 1_000;

    /** How much is written after a restart before it may be over. */
    private static final int WRITES_AFTER = 100;

    /** One restart of so many is shown as progress. */
    private static final int SHOWN = 10;

    private static final Duration OVER_WITHIN = Duration.ofSeconds(5);
    private static final Duration LOSS = Duration.ofSeconds(1);

    /** A busy machine needs longer than that for something that can be lost. */
    private static final int WRITES_LOST = 100;

    /** How far before the loss a change may be handled again: what was done for it may be in the part that is lost. */
    private static final Duration REPEATED_BEFORE_LOSS = Duration.ofSeconds(1);

    /** A function keeps up when this often in a row, what was written is handled within {@link #SOON}. */
    private static final int LOOKS_AT_PACE = 10;

    private static final Duration SOON = Duration.ofMillis(500);
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration LOOK = Duration.ofMillis(20);

    private final int count;
    private final int documents;
    private final Path root;
    private final PrintStream out;
    private final List<String> breaches = new ArrayList<>();
    private long writtenBetween;
    private long nanosBetween;
    private final Set<String> pending = new HashSet<>();

    private RestartsBench(int count, int documents, Path root, PrintStream out) {
        this.count = count;
        this.documents = documents;
        this.root = root;
        this.out = out;
    }

    /** The first argument is the number of restarts, the second how many documents the source has before. */
    public static RestartsBench of(List<String> args, Path root, PrintStream out) {
        int count = args.isEmpty() ? STANDARD_COUNT : Integer.parseInt(args.getFirst());
        int documents = args.size() < 2 ? STANDARD_DOCUMENTS : Integer.parseInt(args.get(1));
        return new RestartsBench(count, documents, root, out);
    }

    /** Returns whether all bounds held. */
    public boolean run() throws IOException, InterruptedException {
        try (RestartSuite suite = RestartSuite.start(root, out)) {
            suite.deploy(documents);
            out.printf("%,d documents in the source, function deployed%n", documents);
            cleanRestarts(suite);
            lossyRestart(suite);
        }
        breaches.forEach(breach -> out.println("BROKEN: " + breach));
        return breaches.isEmpty();
    }

    private void cleanRestarts(RestartSuite suite) throws IOException, InterruptedException {
        long[] tookMillis = new long[count];
        long[] writableMillis = new long[count];
        long written;
        Set<Long> workers;
        long began = System.nanoTime();
        try (NumberedWriters writers = new NumberedWriters(suite::open, "kept-", RATE)) {
            awaitPace(suite, writers);
            workers = suite.workers();
            for (int i = 0; i < count; i++) {
                writeBetween(writers);
                suite.redis().stop();
                suite.redis().restart();
                long answered = System.nanoTime();
                long before = writers.count();
                awaitWritten(writers, before + WRITES_AFTER);
                writableMillis[i] = millisSince(answered);
                awaitHandled(suite, writers, before + WRITES_AFTER);
                tookMillis[i] = millisSince(answered);
                if ((i + 1) % SHOWN == 0 || tookMillis[i] > OVER_WITHIN.toMillis()) {
                    out.printf(
                            "restart %d: %d writes after %,d ms, over after %,d ms%n",
                            i + 1, WRITES_AFTER, writableMillis[i], tookMillis[i]);
                }
            }
            writers.close();
            written = writers.count();
            awaitHandled(suite, writers, written);
        }
        Arrays.sort(writableMillis);
        out.printf(
                "%d writes were acknowledged after %,d ms (median), %,d ms (longest) when Redis answered%n",
                WRITES_AFTER, writableMillis[count / 2], writableMillis[count - 1]);
        report(suite, tookMillis, written, workers, Duration.ofNanos(System.nanoTime() - began));
    }

    /** Waits until the function keeps up: a suite that has just been started is still compiling, which is not the restart's fault. */
    private void awaitPace(RestartSuite suite, NumberedWriters writers) {
        long began = System.nanoTime();
        int inTime = 0;
        while (inTime < LOOKS_AT_PACE) {
            if (millisSince(began) > PATIENCE.toMillis()) {
                throw new IllegalStateException("The function does not keep up with " + RATE + " writes a second");
            }
            awaitWritten(writers, writers.count() + WRITES_AFTER);
            long written = System.nanoTime();
            awaitHandled(suite, writers, writers.count());
            inTime = millisSince(written) <= SOON.toMillis() ? inTime + 1 : 0;
        }
        out.printf("the function keeps up with the writes after %,d ms%n", millisSince(began));
    }

    /** Waits for the writes between two restarts, when those of the restart before are handled. */
    private void writeBetween(NumberedWriters writers) {
        long before = writers.count();
        long began = System.nanoTime();
        awaitWritten(writers, before + WRITES_BETWEEN);
        writtenBetween += writers.count() - before;
        nanosBetween += System.nanoTime() - began;
    }

    private static long millisSince(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos).toMillis();
    }

    private void report(RestartSuite suite, long[] tookMillis, long written, Set<Long> workers, Duration time)
            throws IOException {
        Arrays.sort(tookMillis);
        long rate = writtenBetween * 1_000_000_000L / nanosBetween;
        int[] handled = new int[2];
        suite.eachCounted(counted -> handled[counted.times() == 1 ? 0 : 1]++);
        out.printf(
                "%d restarts in %,d s, %,d writes (%,d/s between restarts): over after %,d ms (median), %,d ms (longest)"
                        + " when Redis answered%n",
                count, time.toSeconds(), written, rate, tookMillis[count / 2], tookMillis[count - 1]);
        out.printf(
                "%,d documents handled once, %,d more often; incarnations %s; workers before %s, after %s; log: %d"
                        + " restarts lost nothing, %d perhaps something%n",
                handled[0],
                handled[1],
                suite.incarnations(),
                workers,
                suite.workers(),
                suite.logged("event=redis_restarted function=restarts lost=nothing"),
                suite.logged("event=redis_restarted function=restarts lost=unknown"));
        check(rate >= LEAST_RATE, "only " + rate + " writes a second were acknowledged, not " + LEAST_RATE);
        check(handled[1] == 0, handled[1] + " changes were handled again");
        check(handled[0] == written, "of " + written + " changes, " + handled[0] + " were handled once");
        check(suite.incarnations().equals(Set.of(0L)), "incarnations were used up: " + suite.incarnations());
        check(suite.workers().equals(workers), "workers were started: " + suite.workers() + " after " + workers);
        check(
                tookMillis[count - 1] <= OVER_WITHIN.toMillis(),
                "a restart was over only " + tookMillis[count - 1] + " ms after Redis answered");
    }

    private void check(boolean held, String breach) {
        if (!held) {
            breaches.add(breach);
        }
    }

    /** As a machine does that loses power: the file ends where it ended a second ago. */
    private void lossyRestart(RestartSuite suite) throws IOException, InterruptedException {
        Set<String> all = new HashSet<>();
        long cutAt;
        try (NumberedWriters writers = new NumberedWriters(suite::open, "risked-", RATE)) {
            awaitWritten(writers, WRITES_BETWEEN * 3L);
            Path file = suite.appended();
            long kept = Files.size(file);
            cutAt = System.currentTimeMillis();
            long atCut = writers.count();
            LockSupport.parkNanos(LOSS.toNanos());
            awaitWritten(writers, atCut + WRITES_LOST);
            suite.redis().kill9();
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(kept);
            }
            suite.redis().restart();
            awaitWritten(writers, writers.count() + WRITES_BETWEEN);
            writers.close();
            all.addAll(writers.news());
        }
        Set<String> lost = suite.lost(all);
        all.removeAll(lost);
        pending.clear();
        pending.addAll(all);
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!pending.isEmpty() && System.nanoTime() < deadline) {
            pending.retainAll(suite.unhandled(pending));
        }
        List<RestartSuite.Counted> again = new ArrayList<>();
        suite.eachCounted(counted -> {
            if (counted.times() > 1) {
                again.add(counted);
            }
        });
        long earliest =
                again.stream().mapToLong(RestartSuite.Counted::writtenAt).min().orElse(cutAt);
        out.printf(
                "a restart that lost the last second: %,d of %,d acknowledged writes lost, %,d not handled, %,d"
                        + " handled again, the earliest of them written %,d ms before the loss; incarnations %s%n",
                lost.size(),
                lost.size() + all.size(),
                pending.size(),
                again.size(),
                cutAt - earliest,
                suite.incarnations());
        check(!lost.isEmpty(), "the restart that should lose a second lost nothing");
        check(pending.isEmpty(), pending.size() + " changes that are left were not handled");
        check(
                cutAt - earliest <= REPEATED_BEFORE_LOSS.toMillis(),
                "changes were handled again that were written " + (cutAt - earliest) + " ms before the loss");
    }

    private static void awaitWritten(NumberedWriters writers, long writes) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (writers.count() < writes) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("Only %d of %d writes were acknowledged within %d minutes"
                        .formatted(writers.count(), writes, PATIENCE.toMinutes()));
            }
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }

    /** Waits for some writes, and for the function to have handled all that there were then. */
    private void awaitHandled(RestartSuite suite, NumberedWriters writers, long writes) {
        awaitWritten(writers, writes);
        pending.addAll(writers.news());
        Set<String> wanted = new HashSet<>(pending);
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!wanted.isEmpty()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        wanted.size() + " writes were not handled within " + PATIENCE.toMinutes() + " minutes");
            }
            wanted = suite.unhandled(wanted);
            LockSupport.parkNanos(LOOK.toNanos());
        }
        pending.clear();
    }
}
