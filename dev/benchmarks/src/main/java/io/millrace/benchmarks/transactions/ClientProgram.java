package io.millrace.benchmarks.transactions;

import static com.couchbase.client.java.ClusterOptions.clusterOptions;

import com.couchbase.client.core.env.SeedNode;
import com.couchbase.client.java.Cluster;
import com.couchbase.client.java.env.ClusterEnvironment;
import com.couchbase.client.java.transactions.error.TransactionCommitAmbiguousException;
import com.couchbase.client.java.transactions.error.TransactionExpiredException;
import com.couchbase.client.java.transactions.error.TransactionFailedException;
import io.millrace.benchmarks.transactions.Teller.Stop;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A client in a process of its own, so that it can be killed. It makes transfers, looks at the sum of a branch now and then, and
 * prints the {@link Event} of each. It stays until its input ends, because the cleanup of lost attempts is shared by the clients.
 * A line of its input that names a {@link Stop} makes it stop there in a transaction.
 */
final class ClientProgram {

    /**
     * What a killed client had committed keeps others waiting until it expires, a minute later if the time of CAS stands still
     * meanwhile, and then until another client looks for lost attempts, which each does once a minute.
     */
    private static final Duration TIMEOUT = Duration.ofMinutes(4);

    /** How long a killed client's transaction keeps others from its accounts. */
    private static final Duration TIMEOUT_OF_THE_KILLED = Duration.ofSeconds(10);

    private static final Duration CONNECT_LIMIT = Duration.ofMinutes(2);
    private static final int TRANSFERS_PER_SUM = 20;

    /** What a client has seen; the name is the first word of a line, details may follow. */
    enum Event {
        COMMITTED,
        ROLLED_BACK,
        EXPIRED,
        AMBIGUOUS,
        SUM,
        STOPPED,
        DONE
    }

    private ClientProgram() {}

    /** Takes host, KV port, HTTP port, user, password, number of transfers and seed. */
    public static void main(String[] args) throws Exception {
        Queue<Stop> stop = new ConcurrentLinkedQueue<>();
        ClusterEnvironment environment = ClusterEnvironment.builder()
                .timeoutConfig(timeouts -> timeouts.kvTimeout(Duration.ofSeconds(20)))
                .build();
        SeedNode node = SeedNode.create(
                args[0], Optional.of(Integer.parseInt(args[1])), Optional.of(Integer.parseInt(args[2])));
        Cluster cluster =
                Cluster.connect(Set.of(node), clusterOptions(args[3], args[4]).environment(environment));
        cluster.bucket(Accounts.BUCKET).waitUntilReady(CONNECT_LIMIT);
        long seed = Long.parseLong(args[6]);
        Thread.ofVirtual().start(() -> work(cluster, Integer.parseInt(args[5]), seed, stop));
        readOrders(stop);
        cluster.disconnect();
        environment.shutdown();
    }

    private static void readOrders(Queue<Stop> stop) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            stop.add(Stop.valueOf(line));
        }
    }

    private static void work(Cluster cluster, int transfers, long seed, Queue<Stop> stop) {
        Teller teller = new Teller(cluster, seed, TIMEOUT);
        for (int i = 0; i < transfers; i++) {
            for (Stop wanted = stop.peek(); wanted != null; wanted = stop.peek()) {
                stopWithin(new Teller(cluster, seed, TIMEOUT_OF_THE_KILLED), wanted);
            }
            report(Event.COMMITTED, () -> {
                teller.transfer();
                return "";
            });
            if (i % TRANSFERS_PER_SUM == 0) {
                report(Event.SUM, () -> Integer.toString(teller.sumOfBranch()));
            }
        }
        say(Event.DONE, "");
    }

    /** Returns only if the transaction did not get there in its time. */
    private static void stopWithin(Teller teller, Stop stop) {
        try {
            teller.transfer(stop, () -> say(Event.STOPPED, ""));
        } catch (TransactionFailedException conflicts) {
            // once more
        }
    }

    private interface Work {
        String run();
    }

    private static void report(Event success, Work work) {
        try {
            say(success, work.run());
        } catch (TransactionExpiredException e) {
            say(Event.EXPIRED, e.toString());
        } catch (TransactionCommitAmbiguousException e) {
            say(Event.AMBIGUOUS, e.toString());
        } catch (TransactionFailedException e) {
            say(Event.ROLLED_BACK, e.toString());
        }
    }

    private static void say(Event event, String detail) {
        System.out.println((event + " " + detail.replace('\n', ' ')).strip());
    }
}
