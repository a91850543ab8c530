package io.millrace.benchmarks.transactions;

import io.millrace.benchmarks.suite.FreshSuite;
import io.millrace.benchmarks.suite.Pace;
import io.millrace.benchmarks.suite.RedisConnection;
import io.millrace.benchmarks.transactions.ClientProgram.Event;
import io.millrace.benchmarks.transactions.Teller.Stop;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.launcher.suite.Service;
import io.millrace.launcher.suite.Suite;
import io.millrace.testkit.SteppedClock;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Clients of the published SDK, each in a process of its own, transfer money between 50 accounts, while some of them are killed in
 * the middle of a transaction and the clock from which CAS are made is set a minute back and forth. Checks that every sum that is
 * read is right, that no transaction fails because of time, and that nothing of a transaction is left in the end.
 */
public final class TransactionsBench {

    private static final int STANDARD_CLIENTS = 10;
    private static final int STANDARD_COUNT = 1_000;
    private static final int MOST_KILLED = 5;

    /** The first one is back: after a step forward the time of CAS stands still until the clock has caught up. */
    private static final List<Duration> STEPS =
            List.of(Duration.ofSeconds(-60), Duration.ZERO, Duration.ofSeconds(60), Duration.ZERO);

    private static final Duration BETWEEN_STEPS = Duration.ofSeconds(3);

    /** The time in a CAS of a stepped clock must have come this far, or the step has had no effect. */
    private static final Duration VISIBLE_STEP = Duration.ofSeconds(50);

    /** A lost attempt expires, and the clients look for such attempts once a minute each. */
    private static final Duration CLEANUP_LIMIT = Duration.ofMinutes(5);

    private final int clients;
    private final int count;
    private final PrintStream out;
    private final List<String> breaches = new ArrayList<>();
    private final List<ClientProcess> processes = new ArrayList<>();

    private TransactionsBench(int clients, int count, PrintStream out) {
        this.clients = clients;
        this.count = count;
        this.out = out;
    }

    /** The first argument is the number of clients, the second one how many transfers each of them makes. */
    public static TransactionsBench of(List<String> args, PrintStream out) {
        int clients = args.isEmpty() ? STANDARD_CLIENTS : Integer.parseInt(args.getFirst());
        int count = args.size() < 2 ? STANDARD_COUNT : Integer.parseInt(args.get(1));
        return new TransactionsBench(clients, count, out);
    }

    /** Returns whether everything was right. */
    public boolean run() throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("millrace-transactions");
        try (Suite suite = FreshSuite.start(directory);
                RedisConnection redis = RedisConnection.open(suite.redisUrl())) {
            DocumentStore store = redis.documentStore();
            open(store);
            transfers(suite, store, directory);
        } finally {
            processes.forEach(ClientProcess::close);
        }
        breaches.forEach(breach -> out.println("BROKEN: " + breach));
        return breaches.isEmpty();
    }

    private static void open(DocumentStore store) {
        store.catalog().createBucket(Accounts.BUCKET, 1).join();
        byte[] body = "{\"%s\":%d,\"%s\":0}"
                .formatted(Accounts.FIELD, Accounts.BALANCE, Accounts.CHANGES)
                .getBytes(StandardCharsets.UTF_8);
        for (int branch = 0; branch < Accounts.BRANCHES; branch++) {
            for (int i = 0; i < Accounts.IN_BRANCH; i++) {
                DocumentKey key = new DocumentKey(Keyspace.of(Accounts.BUCKET), Accounts.id(branch, i));
                store.write(Write.upsert(key, body)).join();
            }
        }
    }

    private void transfers(Suite suite, DocumentStore store, Path directory) throws IOException, InterruptedException {
        SteppedClock clock = SteppedClock.of(suite.redisConsole());
        List<ClientProcess> working = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            working.add(client(suite, directory, count));
        }
        for (ClientProcess client : working) {
            client.await(Event.COMMITTED, 1);
        }
        long began = System.nanoTime();
        out.printf("%d clients with %,d transfers each have begun%n", clients, count);
        int killed = 0;
        for (int turn = 0; working.stream().anyMatch(ClientProcess::isWorking); turn++) {
            Duration step = STEPS.get(turn % STEPS.size());
            clock.step(step);
            checkStep(store, step);
            if (killed < MOST_KILLED && kill(working, killed, suite, directory)) {
                killed++;
            }
            Pace.pause(BETWEEN_STEPS);
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        clock.step(Duration.ZERO);
        report(seconds, killed);
        finish(store);
    }

    /** Kills one client in the middle of a transaction; another one makes what it had left. */
    private boolean kill(List<ClientProcess> working, int number, Suite suite, Path directory)
            throws IOException, InterruptedException {
        int victim = number % working.size();
        ClientProcess client = working.get(victim);
        if (!client.kill(number % 2 == 0 ? Stop.STAGED : Stop.COMMITTING)) {
            return false;
        }
        working.set(victim, client(suite, directory, count - client.transfers()));
        return true;
    }

    private ClientProcess client(Suite suite, Path directory, int transfers) throws IOException {
        URI kv = URI.create(suite.sdkUrl());
        ClientProcess client = ClientProcess.start(
                directory.resolve("clients.log"),
                List.of(
                        kv.getHost(),
                        Integer.toString(kv.getPort()),
                        Integer.toString(suite.url(Service.SUBDOC).getPort()),
                        FreshSuite.USER,
                        FreshSuite.PASSWORD,
                        Integer.toString(transfers),
                        Integer.toString(processes.size())));
        processes.add(client);
        return client;
    }

    /** Checks that a step has an effect: otherwise all the rest would show nothing. */
    private void checkStep(DocumentStore store, Duration step) {
        long now = System.currentTimeMillis();
        DocumentKey key = new DocumentKey(Keyspace.of(Accounts.BUCKET), "clock");
        store.write(Write.upsert(key, "{}".getBytes(StandardCharsets.UTF_8))).join();
        long cas = store.get(key).join().orElseThrow().cas();
        if (step.isPositive() && TimeUnit.NANOSECONDS.toMillis(cas) < now + VISIBLE_STEP.toMillis()) {
            breaches.add("the clock was set forward by %d s, but a new CAS is not ahead".formatted(step.toSeconds()));
        }
    }

    private void report(double seconds, int killed) {
        for (Event event : Event.values()) {
            int sum = processes.stream().mapToInt(client -> client.count(event)).sum();
            out.printf("%-12s %,7d%n", event.name().toLowerCase(Locale.ROOT), sum);
        }
        out.printf("%d clients killed in a transaction; %.0f s%n", killed, seconds);
        int ended = processes.stream().mapToInt(ClientProcess::transfers).sum();
        if (ended != clients * count) {
            breaches.add("%,d of %,d transfers have ended".formatted(ended, clients * count));
        }
        processes.stream().flatMap(client -> client.wrong().stream()).forEach(breaches::add);
    }

    /** The clients that are left clean up what the killed ones have left. */
    private void finish(DocumentStore store) {
        Leftovers leftovers = new Leftovers(store);
        long began = System.nanoTime();
        List<String> left = leftovers.await(CLEANUP_LIMIT);
        breaches.addAll(left);
        out.printf(
                "%d documents with something of a transaction are left after %.0f s more%n",
                left.size(), (System.nanoTime() - began) / 1e9);
        int sum = leftovers.sum();
        int expected = Accounts.BRANCHES * Accounts.SUM_OF_BRANCH;
        if (sum != expected) {
            breaches.add("the sum of all accounts is %,d in the end, not %,d".formatted(sum, expected));
        }
    }
}
