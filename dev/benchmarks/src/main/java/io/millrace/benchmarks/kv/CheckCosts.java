package io.millrace.benchmarks.kv;

import io.millrace.benchmarks.access.PermissionCosts;
import io.millrace.benchmarks.suite.Median;
import io.millrace.benchmarks.suite.ProcessUsage;
import io.millrace.launcher.suite.Service;
import io.millrace.memcached.client.Call;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * What the check of a permission adds to a GET, in processor time of the service that answers it. The administrator, whose
 * only role is on everything, is the measure: that check is one comparison. Users with narrow roles take turns with it, and the
 * difference within a round counts, because what else happens on the machine changes from round to round.
 */
final class CheckCosts {

    /** The most processor time that narrow roles may add, in microseconds. */
    private static final double LIMIT_MICROS = 1;

    private static final int ROUNDS = 15;

    /** The clock of processor time counts in hundredths of a second; over so many that is a fifth of a microsecond. */
    private static final int GETS = 60_000;

    private static final String ADMINISTRATOR = "administrator";
    private static final String ONE = "one role";
    private static final String MANY = "64 roles";

    private final KvLoad load;
    private final PrintStream out;

    CheckCosts(KvLoad load, PrintStream out) {
        this.load = load;
        this.out = out;
    }

    /** Measures the GETs of documents of a bucket; returns whether no user's cost more than the limit. */
    boolean measure(KvSuite suite, String bucket, IntFunction<Call> get) throws Exception {
        suite.createUser("one", PermissionCosts.narrowRole(bucket));
        suite.createUser("many", PermissionCosts.narrowRoles(bucket));
        Map<String, String> users = new LinkedHashMap<>();
        users.put(ADMINISTRATOR, KvSuite.USER);
        users.put(ONE, "one");
        users.put(MANY, "many");
        long service = suite.services().getOrDefault(Service.SUBDOC, 0L);
        List<String> order = new ArrayList<>(users.keySet());
        Map<String, double[]> micros = new LinkedHashMap<>();
        Map<String, Double> seconds = new LinkedHashMap<>();
        order.forEach(name -> micros.put(name, new double[ROUNDS]));
        for (int round = -1; round < ROUNDS; round++) { // the first one warms up
            for (String name : order) {
                long used = ProcessUsage.cpu(service).toNanos();
                long began = System.nanoTime();
                load.run(suite, users.getOrDefault(name, ""), bucket, GETS, get);
                if (round >= 0) {
                    seconds.merge(name, (System.nanoTime() - began) / 1e9, Double::sum);
                    micros.getOrDefault(name, new double[ROUNDS])[round] =
                            (ProcessUsage.cpu(service).toNanos() - used) / 1e3 / GETS;
                }
            }
            order.addLast(order.removeFirst()); // each user comes first, second and last in turn
        }
        out.printf("%nGET with roles of different kinds, %d rounds of %,d each%n", ROUNDS, GETS);
        boolean right = true;
        double[] measure = micros.getOrDefault(ADMINISTRATOR, new double[ROUNDS]);
        for (String name : users.keySet()) {
            double[] own = micros.getOrDefault(name, new double[ROUNDS]);
            double more = medianDifference(own, measure);
            boolean less = more < LIMIT_MICROS;
            out.printf(
                    "GET, %-14s %,9.0f/s  CPU of subdoc-service per operation in us: median %.2f, more than the"
                            + " administrator's: %.2f (limit %.0f)%s%n",
                    name + ":",
                    (double) ROUNDS * GETS / seconds.getOrDefault(name, 1.0),
                    Median.of(own),
                    more,
                    LIMIT_MICROS,
                    less ? "" : "; TOO MUCH");
            right &= less;
        }
        return right;
    }

    /** Returns the median of the differences in the same round. */
    static double medianDifference(double[] own, double[] measure) {
        double[] differences = new double[own.length];
        Arrays.setAll(differences, round -> own[round] - measure[round]);
        return Median.of(differences);
    }
}
