package io.millrace.benchmarks.http;

import io.millrace.benchmarks.suite.Percentiles;
import io.millrace.benchmarks.suite.ProcessUsage;
import io.millrace.benchmarks.suite.Settling;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One way to a document, and what was measured on it in all rounds together. */
final class Road {

    private static final int CONNECTIONS = 32;
    private static final Duration SETTLING_ROUND = Duration.ofSeconds(10);

    private final String name;
    private final InetSocketAddress server;
    private final List<Wire> wires;
    private final Map<String, Duration> used = new LinkedHashMap<>();
    private double seconds;
    private long[] micros = {};

    /** @param wires the requests of the connections, in turn */
    Road(String name, InetSocketAddress server, List<Wire> wires) {
        this.name = name;
        this.server = server;
        this.wires = wires;
    }

    /** Runs and forgets: the compiler and the connections of the servers are warm afterwards. */
    Load.Answers warm(Duration duration) throws IOException {
        try (Load load = new Load(server, CONNECTIONS)) {
            return load.run(wires, duration);
        }
    }

    /**
     * Runs rounds and forgets them, until the CPU time of some processes for each request no longer falls.
     *
     * @param rounds how many at most
     * @return how long that took
     */
    Duration settle(Map<String, Long> processes, int rounds) throws IOException {
        Settling settled = new Settling();
        int done = 0;
        boolean falls = true;
        while (falls && done < rounds) {
            Road round = new Road(name, server, wires);
            round.measure(SETTLING_ROUND, processes);
            falls = settled.falls(round.cpuMicros(processes.keySet()));
            done++;
        }
        return SETTLING_ROUND.multipliedBy(done);
    }

    /** Returns the time in milliseconds that 99 of 100 responses take at most when requests come at a steady rate. */
    double millisAt(double perSecond, Duration duration) throws IOException {
        try (Load load = new Load(server, CONNECTIONS)) {
            return new Percentiles(load.runPaced(wires, duration, perSecond).micros()).at(99) / 1e3;
        }
    }

    /** Returns the CPU time of some processes for each request in microseconds. */
    double cpuMicros(Set<String> processes) {
        return processes.stream().mapToDouble(this::cpuMicros).sum();
    }

    /** Adds one round, in which each response is followed by the next request, to what was measured. */
    void measure(Duration duration, Map<String, Long> processes) throws IOException {
        try (Load load = new Load(server, CONNECTIONS)) {
            add(processes, () -> load.run(wires, duration));
        }
    }

    /** Adds one round, in which requests come at a steady rate, to what was measured. */
    void measurePaced(double perSecond, Duration duration, Map<String, Long> processes) throws IOException {
        try (Load load = new Load(server, CONNECTIONS)) {
            add(processes, () -> load.runPaced(wires, duration, perSecond));
        }
    }

    private void add(Map<String, Long> processes, Round round) throws IOException {
        Map<String, Duration> before = ProcessUsage.cpu(processes);
        Load.Answers answers = round.run();
        ProcessUsage.cpu(processes)
                .forEach((process, after) -> used.merge(process, after.minus(before.get(process)), Duration::plus));
        seconds += answers.seconds();
        int known = micros.length;
        micros = Arrays.copyOf(micros, known + answers.micros().length);
        System.arraycopy(answers.micros(), 0, micros, known, answers.micros().length);
    }

    double perSecond() {
        return micros.length / seconds;
    }

    /** Returns the time in milliseconds that 99 of 100 responses took at most. */
    double p99Millis() {
        return new Percentiles(micros).at(99) / 1e3;
    }

    /** Returns the CPU time of a process for each request in microseconds. */
    double cpuMicros(String process) {
        return used.getOrDefault(process, Duration.ZERO).toNanos() / 1e3 / Math.max(1, micros.length);
    }

    void print(PrintStream out) {
        Percentiles percentiles = new Percentiles(micros);
        out.printf(
                "%-26s %,9.0f/s  p50 %.1f ms, p99 %.1f ms  CPU per request in us:",
                name, perSecond(), percentiles.at(50) / 1e3, percentiles.at(99) / 1e3);
        String before = " ";
        for (String process : used.keySet()) {
            if (cpuMicros(process) >= 0.5) { // the others only waited
                out.printf("%s%s %.0f", before, process, cpuMicros(process));
                before = ", ";
            }
        }
        out.println();
    }

    /** One run of requests. */
    private interface Round {

        Load.Answers run() throws IOException;
    }
}
