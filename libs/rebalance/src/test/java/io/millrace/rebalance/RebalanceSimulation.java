package io.millrace.rebalance;

/** Runs the simulation for many seeds: {@code [SEEDS [FIRST]]}. */
public final class RebalanceSimulation {

    private RebalanceSimulation() {}

    public static void main(String[] args) {
        long seeds = args.length > 0 ? Long.parseLong(args[0]) : 10_000;
        long first = args.length > 1 ? Long.parseLong(args[1]) : 0;
        long started = System.nanoTime();
        String last = "";
        for (long seed = first; seed < first + seeds; seed++) {
            last = new Simulation(seed, Sabotage.NONE).run();
        }
        System.out.printf(
                "seeds %d to %d: one owner each, nothing lost, in %.1f s (the last one: %s)%n",
                first, first + seeds - 1, (System.nanoTime() - started) / 1e9, last);
    }
}
