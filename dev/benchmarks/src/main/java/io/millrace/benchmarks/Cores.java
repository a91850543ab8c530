package io.millrace.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The available cores, their assignment to nodes, and their utilization. Pinning and utilization need Linux. */
final class Cores {

    private static final String ALLOWED = "Cpus_allowed_list:";

    private final List<Integer> all;

    Cores(List<Integer> all) {
        this.all = List.copyOf(all);
    }

    static Cores ofMachine() {
        return new Cores(lines("/proc/self/status").stream()
                .filter(line -> line.startsWith(ALLOWED))
                .findFirst()
                .map(line -> parse(line.substring(ALLOWED.length()).strip()))
                .orElseGet(() -> IntStream.range(0, Runtime.getRuntime().availableProcessors())
                        .boxed()
                        .toList()));
    }

    /** Parses a list such as 0-2,5. */
    static List<Integer> parse(String list) {
        List<Integer> cores = new ArrayList<>();
        for (String range : list.split(",", -1)) {
            String[] ends = range.split("-", 2);
            int first = Integer.parseInt(ends[0]);
            int last = Integer.parseInt(ends[ends.length - 1]);
            IntStream.rangeClosed(first, last).forEach(cores::add);
        }
        return cores;
    }

    List<Integer> all() {
        return all;
    }

    /** Returns the core of all processes other than eventing nodes: the first one. */
    List<Integer> ofTheRest() {
        return all.subList(0, 1);
    }

    /**
     * Returns the cores of a node: its own core while one is left, then the first core, which it shares, then all cores.
     *
     * @param node the number of the node, from 1
     */
    List<Integer> ofNode(int node) {
        if (node < all.size()) {
            return all.subList(node, node + 1);
        }
        return node == all.size() ? all.subList(0, 1) : all;
    }

    static String text(List<Integer> cores) {
        return cores.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** Restricts a process and its future children to these cores; returns whether that succeeded. */
    static boolean pin(long pid, List<Integer> cores) throws InterruptedException {
        try {
            Process taskset = new ProcessBuilder("taskset", "-a", "-c", "-p", text(cores), Long.toString(pid))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return taskset.waitFor() == 0;
        } catch (IOException e) {
            return false; // taskset is not installed
        }
    }

    /** Returns the busy and the total time of each core so far, in system ticks. */
    SortedMap<Integer, Ticks> ticks() {
        SortedMap<Integer, Ticks> ticks = new TreeMap<>();
        for (String line : lines("/proc/stat")) {
            for (int core : all) {
                if (line.startsWith("cpu" + core + " ")) {
                    ticks.put(core, Ticks.parse(line));
                }
            }
        }
        return ticks;
    }

    /** The time of a core. */
    record Ticks(long busy, long all) {

        private static final int IDLE = 4;
        private static final int WAITING = 5;

        /** The first field that is included in an earlier one. */
        private static final int GUEST = 9;

        static Ticks parse(String line) {
            String[] words = line.strip().split(" +", -1);
            long sum = 0;
            long idle = 0;
            for (int i = 1; i < Math.min(words.length, GUEST); i++) {
                long ticks = Long.parseLong(words[i]);
                sum += ticks;
                idle += i == IDLE || i == WAITING ? ticks : 0;
            }
            return new Ticks(sum - idle, sum);
        }

        double percentSince(Ticks before) {
            long passed = all - before.all;
            return passed == 0 ? 0 : 100.0 * (busy - before.busy) / passed;
        }
    }

    private static List<String> lines(String file) {
        try {
            return Files.readAllLines(Path.of(file));
        } catch (IOException e) {
            return List.of();
        }
    }
}
