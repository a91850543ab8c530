package io.millrace.benchmarks.http;

import io.millrace.benchmarks.suite.Goals;
import io.millrace.benchmarks.suite.SampleDocuments;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Look-ups of documents by their keys with a prepared statement, over HTTP. */
public final class LookUps {

    /** Fewer leave a part of the code to the interpreter and the fast compiler; how long they take differs from machine to machine. */
    private static final int WARM_UP = 80_000;

    private static final Duration TURN = Duration.ofSeconds(5);
    private static final Duration MEASURED = Duration.ofSeconds(15);
    private static final double GOAL_PER_SECOND = 5_000;

    private LookUps() {}

    /**
     * Prints how many there are per second, and what they cost.
     *
     * @param service the query service, with a statement prepared by this name whose parameter is {@code $k}
     * @param documents how many sample documents there are
     * @param processes the processes at work, by their names
     */
    public static void print(
            URI service,
            String authorization,
            String prepared,
            int documents,
            Map<String, Long> processes,
            PrintStream out)
            throws IOException {
        List<Wire> wires = IntStream.range(0, documents)
                .mapToObj(i -> "{\"prepared\":\"" + prepared + "\",\"$k\":\"" + SampleDocuments.id(i) + "\"}")
                .map(body -> Wire.http("POST", service, authorization, body.getBytes(StandardCharsets.UTF_8)))
                .toList();
        Road road = new Road(
                "prepared look-ups by key", new InetSocketAddress(service.getHost(), service.getPort()), wires);
        for (int done = 0; done < WARM_UP; ) {
            done += road.warm(TURN).micros().length;
        }
        road.measure(MEASURED, processes);
        road.print(out);
        new Goals(out).atLeast("prepared look-ups per second", road.perSecond(), GOAL_PER_SECOND);
    }
}
