package io.millrace.benchmarks.access;

import io.millrace.benchmarks.access.Attack.Kind;
import io.millrace.benchmarks.suite.FreshSuite;
import io.millrace.benchmarks.suite.Goals;
import io.millrace.benchmarks.suite.Percentiles;
import io.millrace.benchmarks.suite.RedisConnection;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.launcher.suite.Service;
import io.millrace.launcher.suite.Suite;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * 100,000 wrong passwords a minute: whether one gets in, and what they cost another user.
 *
 * <p>The attacker's own work and that of the service for each request take processors away from the user whatever is sent, and
 * on one machine they are the same processors. So the user's rate next to wrong passwords is compared with the rate next to
 * as many requests without a password, which are refused before anything is checked. What is left is the cost of passwords.
 */
public final class LoginsBench {

    /**
     * The size of a run.
     *
     * @param rounds how often both kinds of traffic take turns
     * @param length of one turn
     */
    public record Scale(int rounds, Duration length) {

        private static final Scale FULL = new Scale(6, Duration.ofSeconds(10));
        private static final Scale SHORT = new Scale(3, Duration.ofSeconds(4));

        /** Returns the scale of an argument; "" is the full one. */
        public static Scale named(String name) {
            return switch (name) {
                case "" -> FULL;
                case "short" -> SHORT;
                default -> throw new IllegalArgumentException("'" + name + "' is not a size; use short, or nothing");
            };
        }
    }

    /**
     * What one door has let in, and what it cost.
     *
     * @param ratio of the user's rate next to requests without a password, to that next to wrong ones
     */
    private record Outcome(String attack, int in, double ratio) {}

    /** How much slower the user may be. */
    private static final double LIMIT = 1.1;

    private static final int PER_SECOND = 1_667;
    private static final int ADDRESSES = 32;
    private static final int VISITORS = 4;
    private static final int NEWCOMERS = 3;
    private static final String BUCKET = "logins";
    private static final String ID = "d";
    private static final Duration WARM_UP = Duration.ofSeconds(8);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Scale scale;
    private final PrintStream out;

    public LoginsBench(Scale scale, PrintStream out) {
        this.scale = scale;
        this.out = out;
    }

    /** Returns whether no attempt was let in and no user was slowed down by more than the limit. */
    public boolean run() throws Exception {
        try (Suite suite = FreshSuite.start();
                RedisConnection redis = RedisConnection.open(suite.redisUrl())) {
            var store = redis.documentStore();
            store.catalog().createBucket(BUCKET, 1).join();
            store.write(Write.upsert(
                            new DocumentKey(Keyspace.of(BUCKET), ID), "{\"n\":1}".getBytes(StandardCharsets.UTF_8)))
                    .join();
            out.printf(
                    "%,d attempts a second, %d rounds of %s for each kind%n", PER_SECOND, scale.rounds, scale.length);
            URI gateway = suite.url(Service.GATEWAY);
            List<String> newcomers = createNewcomers(gateway, suite.login().authorization());
            HttpDoor http = new HttpDoor(
                    gateway, FreshSuite.USER, FreshSuite.PASSWORD, "/api/v1/buckets/" + BUCKET + "/docs/" + ID);
            KvDoor kv = new KvDoor(URI.create(suite.sdkUrl()), FreshSuite.USER, FreshSuite.PASSWORD, BUCKET, ID);
            return met(List.of(
                    measure("HTTP", http, 1, List.of()),
                    measure("HTTP", http, ADDRESSES, newcomers),
                    measure("binary protocol", kv, 1, List.of()),
                    measure("binary protocol", kv, ADDRESSES, List.of())));
        }
    }

    private boolean met(List<Outcome> outcomes) {
        Goals goals = new Goals(out);
        for (Outcome outcome : outcomes) {
            goals.atMost(outcome.attack() + ": let in", outcome.in(), 0)
                    .atMost(outcome.attack() + ": slowdown", outcome.ratio(), LIMIT);
        }
        return goals.met();
    }

    private static List<String> createNewcomers(URI gateway, String authorization)
            throws IOException, InterruptedException {
        List<String> names =
                IntStream.range(0, NEWCOMERS).mapToObj(i -> "newcomer-" + i).toList();
        try (HttpClient http = HttpClient.newHttpClient()) {
            for (String name : names) {
                HttpResponse<String> answer = http.send(
                        HttpRequest.newBuilder(gateway.resolve("/settings/rbac/users/local/" + name))
                                .header("Authorization", authorization)
                                .header("Content-Type", "application/x-www-form-urlencoded")
                                .PUT(HttpRequest.BodyPublishers.ofString(
                                        "roles=data_reader[" + BUCKET + "]&password=" + FreshSuite.PASSWORD))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
                if (answer.statusCode() != 200) {
                    throw new IOException("The user was not created: " + answer.body());
                }
            }
        }
        return names;
    }

    private Outcome measure(String name, Door door, int addresses, List<String> newcomers) throws Exception {
        work(door, WARM_UP);
        double alone = work(door, scale.length);
        double[] rates = new double[Kind.values().length];
        long guesses = 0;
        int in = 0;
        int broken = 0;
        List<Long> firstLogins = new ArrayList<>();
        for (int round = 0; round < scale.rounds; round++) {
            for (Kind kind : Kind.values()) {
                Attack attack = new Attack(door, kind, from(addresses), PER_SECOND, List.of(FreshSuite.USER));
                try (attack) {
                    Future<Long> first = kind == Kind.GUESS && round < newcomers.size()
                            ? firstLogin(door, newcomers.get(round), round)
                            : null;
                    rates[kind.ordinal()] += work(door, scale.length) / scale.rounds;
                    if (first != null) {
                        firstLogins.add(first.get());
                    }
                }
                guesses += kind == Kind.GUESS ? attack.made() : 0;
                in += attack.in();
                broken += attack.broken();
            }
        }
        double ratio = rates[Kind.KNOCK.ordinal()] / rates[Kind.GUESS.ordinal()];
        String attack = "%s, %d %s".formatted(name, addresses, addresses == 1 ? "address" : "addresses");
        out.printf(
                "%s: alone %,.0f/s, next to requests without a password %,.0f/s, next to wrong passwords"
                        + " %,.0f/s: ratio %.3f; %,d wrong passwords, %,.0f in a minute, %d let in, %d connections broken%n",
                attack,
                alone,
                rates[Kind.KNOCK.ordinal()],
                rates[Kind.GUESS.ordinal()],
                ratio,
                guesses,
                guesses * 60_000.0 / (scale.rounds * scale.length.toMillis()),
                in,
                broken);
        if (!firstLogins.isEmpty()) {
            Percentiles times = new Percentiles(
                    firstLogins.stream().mapToLong(Long::longValue).toArray());
            out.printf(
                    "  first login of another user next to wrong passwords: median %,.0f ms, slowest %,.0f ms%n",
                    times.at(50) / 1e6, times.at(100) / 1e6);
        }
        return new Outcome(attack, in, ratio);
    }

    /** Addresses of this machine; each user has one of its own. */
    private static List<InetAddress> from(int count) throws IOException {
        List<InetAddress> addresses = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            addresses.add(InetAddress.getByAddress(new byte[] {127, 0, 1, (byte) (i + 1)}));
        }
        return addresses;
    }

    /** Logs a user in for the first time, from an address of its own; returns how long it took, at most the patience. */
    private static Future<Long> firstLogin(Door door, String user, int number) {
        FutureTask<Long> login = new FutureTask<>(() -> {
            long begun = System.nanoTime();
            InetAddress from = InetAddress.getByAddress(new byte[] {127, 0, 2, (byte) (number + 1)});
            try (Door.Guesser client = door.guesser(from)) {
                while (!client.guess(user, FreshSuite.PASSWORD) && System.nanoTime() - begun < PATIENCE.toNanos()) {
                    LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
                }
            }
            return System.nanoTime() - begun;
        });
        Thread.ofVirtual().start(login);
        return login;
    }

    /** Returns the requests per second of a user with a few connections. */
    private static double work(Door door, Duration length) throws Exception {
        long begun = System.nanoTime();
        long end = begun + length.toNanos();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Long> visitor = () -> {
                long done = 0;
                try (Door.Visitor one = door.visitor()) {
                    while (System.nanoTime() < end) {
                        done += one.work();
                    }
                }
                return done;
            };
            long done = 0;
            for (Future<Long> one : threads.invokeAll(
                    IntStream.range(0, VISITORS).mapToObj(i -> visitor).toList())) {
                done += one.get();
            }
            return done / ((System.nanoTime() - begun) / 1e9);
        }
    }
}
