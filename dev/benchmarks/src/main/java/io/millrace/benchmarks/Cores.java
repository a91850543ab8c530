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

/** The cores that may be used, which nodes run on which of them, and how busy they are. Only Linux tells and pins. */
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

    /** Reads a list such as 0-2,5. */
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

    /** Returns where everything runs that is no eventing node: on the first core. */
    List<Integer> ofTheRest() {
        return all.subList(0, 1);
    }

    /**
     * Returns where a node runs: on a core of its own as long as there is one, then on the first core beside the rest, and
     * from then on wherever there is room.
     *
     * @param node 1 for the first one
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

    /** Lets a process and what it starts from now on run on these cores only; returns whether that could be done. */
    static boolean pin(long pid, List<Integer> cores) throws InterruptedException {
        try {
            Process taskset = new ProcessBuilder("taskset", "-a", "-c", "-p", text(cores), Long.toString(pid))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return taskset.waitFor() == 0;
        } catch (IOException e) {
            return false; // there is no taskset
        }
    }

    /** Returns the time of each core so far, of which busy and in all, in ticks of the system. */
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

    /** Time of a core. */
    record Ticks(long busy, long all) {

        private static final int IDLE = 4;
        private static final int WAITING = 5;

        /** From here on times are parts of others. */
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
