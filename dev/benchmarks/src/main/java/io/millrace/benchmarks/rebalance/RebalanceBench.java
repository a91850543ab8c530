package io.millrace.benchmarks.rebalance;

import io.millrace.testkit.RedisPair;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Starts, stops, suspends and kills eventing nodes while documents are written and timers fire. Checks that no event is lost,
 * that no document goes back to an older state, and that every vbucket has its owner afterwards. Prints the times.
 */
public final class RebalanceBench {

    private static final Duration BETWEEN = Duration.ofSeconds(3);
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration CATCHING_UP = Duration.ofMinutes(3);

    private final int rate;
    private final Set<Scenario> scenarios;
    private final PrintStream out;
    private final List<Event> events = new ArrayList<>();

    /** The scenarios by name. */
    enum Scenario {
        MOVES,
        CRASH,
        MASTERS,
        STOPPED,
        CUTOFF,
        RESTART,
        FAILOVER;

        static List<String> names() {
            return Arrays.stream(values())
                    .map(scenario -> scenario.name().toLowerCase(Locale.ROOT))
                    .toList();
        }
    }

    /** The goal for the longest pause of a vbucket, in seconds; a lease lasts 10 s. */
    enum Aim {
        NONE(0),
        PLANNED(2),
        LEASE(12);

        final int seconds;

        Aim(int seconds) {
            this.seconds = seconds;
        }
    }

    /** An event and the time until the cluster was balanced again. */
    private record Event(String name, Aim aim, long fromMillis, long toMillis) {}

    interface Action {
        public String run() throws Exception;
    }

    /** @param arguments a rate in mutations per second and names of scenarios; without names, all scenarios run */
    public RebalanceBench(List<String> arguments, PrintStream out) {
        this.out = out;
        int perSecond = 5000;
        EnumSet<Scenario> chosen = EnumSet.noneOf(Scenario.class);
        for (String argument : arguments) {
            if (Character.isDigit(argument.charAt(0))) {
                perSecond = Integer.parseInt(argument);
            } else if (Scenario.names().contains(argument)) {
                chosen.add(Scenario.valueOf(argument.toUpperCase(Locale.ROOT)));
            } else {
                throw new IllegalArgumentException(
                        "Unknown scenario '" + argument + "'; choose from: " + String.join(", ", Scenario.names()));
            }
        }
        rate = perSecond;
        scenarios = chosen.isEmpty() ? EnumSet.allOf(Scenario.class) : chosen;
    }

    public void run() throws Exception {
        EnumSet<Scenario> onOneRedis = EnumSet.copyOf(scenarios);
        onOneRedis.remove(Scenario.FAILOVER);
        if (!onOneRedis.isEmpty()) {
            run(onOneRedis, null);
        }
        if (scenarios.contains(Scenario.FAILOVER)) {
            try (RedisPair pair = RedisPair.start()) {
                run(EnumSet.of(Scenario.FAILOVER), pair);
            }
        }
    }

    private void run(Set<Scenario> some, @Nullable RedisPair pair) throws Exception {
        events.clear();
        try (RebalanceCluster cluster = RebalanceCluster.start(out, pair == null ? null : pair.url())) {
            cluster.deploy(RebalanceLoad.HANDLER);
            RebalanceLoad load = new RebalanceLoad(cluster.store(), "source", "handled", rate);
            load.start();
            RebalanceScenarios events = new RebalanceScenarios(this, cluster, load);
            for (Scenario scenario : some) {
                switch (scenario) {
                    case MOVES -> events.nodesComeAndGo();
                    case CRASH -> events.nodeDies();
                    case MASTERS -> events.mastersDie();
                    case STOPPED -> events.nodeIsStopped();
                    case CUTOFF -> events.nodeIsCutOff();
                    case RESTART -> events.redisDies();
                    case FAILOVER -> {
                        if (pair != null) {
                            events.replicaTakesOver(pair);
                        }
                    }
                }
            }
            events.oneNodeIsLeft();
            load.end();
            RebalanceVerdict verdict = awaitVerdict(cluster, load);
            print(verdict);
            check(verdict, cluster, pair != null);
        }
    }

    /**
     * Triggers an event and records how long it has an effect.
     *
     * @param before the preparation, which is not measured
     */
    void event(String name, Aim aim, RebalanceLoad load, Runnable before, Action action) throws Exception {
        String behind = awaitCalm(load);
        before.run();
        long from = System.currentTimeMillis();
        String more = action.run();
        long to = System.currentTimeMillis();
        events.add(new Event(name, aim, from, to));
        out.printf("  %5.1f s  %s%s%s%n", (to - from) / 1e3, name, more.isEmpty() ? "" : " (" + more + ")", behind);
        pause(BETWEEN);
    }

    /** Waits for the function to catch up: otherwise the backlog and running compilers would count as an effect of the event. */
    private static String awaitCalm(RebalanceLoad load) {
        long end = System.nanoTime() + CATCHING_UP.toNanos();
        while (!load.keepsUp()) {
            if (System.nanoTime() > end) {
                return "; the function had a backlog at the start";
            }
            pause(Duration.ofMillis(100));
        }
        return "";
    }

    static void pause(Duration duration) {
        LockSupport.parkNanos(duration.toNanos());
    }

    private static RebalanceVerdict awaitVerdict(RebalanceCluster cluster, RebalanceLoad load) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            long before;
            do {
                before = cluster.store().highSeqno("handled", 0).join();
                pause(BETWEEN);
            } while (before != cluster.store().highSeqno("handled", 0).join());
            RebalanceVerdict verdict = RebalanceVerdict.of(cluster.store(), "source", "handled", load.documents());
            if (verdict.lost() == 0 || System.nanoTime() > end) {
                return verdict;
            }
        }
    }

    private void print(RebalanceVerdict verdict) {
        ServiceTimes times = verdict.times();
        out.printf(
                "%n%-50s %10s %15s %9s %11s %8s%n",
                "at " + rate + " mutations/s", "balanced", "pause: median", "longest", "wait", "repeated");
        for (Event event : events) {
            long to = event.toMillis() + 1000;
            ServiceTimes.Spread pauses = times.pauses(event.fromMillis(), to);
            boolean missed = event.aim() != Aim.NONE && pauses.longest() > event.aim().seconds * 1000L;
            // events handled after the last checkpoint may be handled again
            out.printf(
                    "%-50s %8.1f s %13.2f s %7.2f s %9.1f s %8d%s%n",
                    event.name(),
                    (event.toMillis() - event.fromMillis()) / 1e3,
                    pauses.median() / 1e3,
                    pauses.longest() / 1e3,
                    times.waits(event.fromMillis(), to).longest() / 1e3,
                    verdict.repeated(event.fromMillis() - 1000, event.toMillis()),
                    missed ? "  the goal is %d s".formatted(event.aim().seconds) : "");
        }
        out.printf(
                "%n%,d documents in %d states: %d lost, %d calls after one with a later state, %d calls and %d timers"
                        + " repeated; the last state of %,d documents is not in Redis%n",
                verdict.documents(),
                RebalanceLoad.STATES,
                verdict.lost(),
                verdict.back(),
                verdict.allRepeated(),
                verdict.repeatedTimers(),
                verdict.gone());
    }

    /** @param withLostWrites whether Redis lost acknowledged writes, including writes of workers */
    private static void check(RebalanceVerdict verdict, RebalanceCluster cluster, boolean withLostWrites)
            throws InterruptedException {
        JsonNode view = cluster.topology();
        Set<String> owners = cluster.ownerNames();
        require(verdict.lost() == 0, "Events were lost");
        require(withLostWrites || verdict.gone() == 0, verdict.gone() + " writes are missing in Redis");
        require(withLostWrites || verdict.back() == 0, "Documents went back to older states");
        require(owners.size() == 1 && cluster.owners().size() == 1024, "Vbuckets without the planned owner: " + owners);
        require(view.path("members").size() == 1, "The cluster has other members than this node: " + view);
    }

    static void require(boolean right, String otherwise) {
        if (!right) {
            throw new IllegalStateException(otherwise);
        }
    }
}
