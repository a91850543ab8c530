package io.millrace.benchmarks.faults;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * Faults of each process of a suite, one after the other in random order, while clients write and read and a function copies
 * what is written. Afterwards no acknowledged write may be lost or not handled; meanwhile requests are answered or refused in
 * time, and health tells the truth.
 */
public final class FaultsBench {

    private static final Duration STANDARD_LENGTH = Duration.ofSeconds(10);
    private static final int WRITES_BEFORE = 100;

    /** Long enough for health to be right again, and then wrong once more if it is unstable. */
    private static final Duration AFTER = Duration.ofSeconds(5);

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final String READABLE = "readable";

    private final Duration length;
    private final long seed;
    private final List<String> words;
    private final Path root;
    private final PrintStream out;

    private FaultsBench(Duration length, long seed, List<String> words, Path root, PrintStream out) {
        this.length = length;
        this.seed = seed;
        this.words = words;
        this.root = root;
        this.out = out;
    }

    /** The first argument is how many seconds each fault lasts, the second the seed of their order; words select faults. */
    public static FaultsBench of(List<String> args, Path root, PrintStream out) {
        Duration length = args.isEmpty() ? STANDARD_LENGTH : Duration.ofSeconds(Long.parseLong(args.getFirst()));
        long seed = args.size() < 2 ? System.currentTimeMillis() : Long.parseLong(args.get(1));
        return new FaultsBench(length, seed, args.subList(Math.min(2, args.size()), args.size()), root, out);
    }

    /** Returns whether all bounds held. */
    public boolean run() throws IOException, InterruptedException {
        out.println("seed " + seed);
        List<Outcome> outcomes = new ArrayList<>();
        try (FaultSuite suite = FaultSuite.start(root, out)) {
            suite.deploy(READABLE);
            if (suite.disk().isEmpty()) {
                out.println("No full disk: this user may not mount a file system of limited size.");
            }
            out.println(Outcome.TABLE_HEAD);
            for (Fault fault : chosen(new Faults(suite, length))) {
                Outcome outcome = suffer(suite, fault, outcomes.size());
                outcomes.add(outcome);
                out.println(outcome.row());
            }
        }
        long broken = outcomes.stream()
                .filter(outcome -> !outcome.breaches().isEmpty())
                .count();
        out.printf("%d faults, %d of them broke a bound%n", outcomes.size(), broken);
        return broken == 0;
    }

    private List<Fault> chosen(Faults faults) {
        List<Fault> order = new ArrayList<>(faults.all());
        Collections.shuffle(order, new Random(seed));
        order.add(faults.flushed());
        return order.stream()
                .filter(fault -> words.isEmpty() || words.stream().anyMatch(fault.name()::contains))
                .toList();
    }

    private Outcome suffer(FaultSuite suite, Fault fault, int number) throws IOException, InterruptedException {
        boolean deletes = fault.name().equals(Faults.FLUSHED);
        List<Health> health;
        FaultLoad load = new FaultLoad(suite.gateway(), suite.login(), "f" + number + "-", READABLE);
        long began;
        long until;
        long ended;
        try (load;
                HealthWatches watches = new HealthWatches(suite)) {
            load.awaitWrites(WRITES_BEFORE);
            fault.begin().run();
            began = System.nanoTime();
            if (!fault.passes()) {
                LockSupport.parkNanos(length.toNanos());
            }
            until = fault.end().run();
            ended = System.nanoTime();
            if (!deletes) {
                LockSupport.parkNanos(AFTER.toNanos());
            }
            health = watches.around(fault);
        }
        Set<String> written = deletes ? Set.of() : load.acknowledged();
        Set<String> unhandled = awaitCopies(suite, written);
        return new Outcome(
                fault.name(),
                fault.meanwhile(),
                began,
                until,
                ended,
                load.requests(),
                health,
                suite.missing(FaultSuite.SOURCE, written).size(),
                unhandled.size(),
                Duration.ofNanos(System.nanoTime() - ended));
    }

    /** Waits until the function has copied documents and returns those that it did not. */
    private static Set<String> awaitCopies(FaultSuite suite, Set<String> written) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        Set<String> missing = suite.missing(FaultSuite.COPIES, written);
        while (!missing.isEmpty() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(LOOK.toNanos());
            missing = suite.missing(FaultSuite.COPIES, missing);
        }
        return missing;
    }
}
