package io.millrace.documents.redis;

import io.millrace.documents.ChangeFeed;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.StoreKit;
import io.millrace.documents.Write;
import io.millrace.redis.Bytes;
import io.millrace.testkit.OwnRedis;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

/**
 * Prints calls per second and Redis CPU per call of pipelined writes and gets, compared with plain SET and GET, interleaved in
 * one run on one connection. Run it by hand; arguments: documents, rounds.
 */
public final class LoadCheck {

    private static final int WINDOW = 256;
    private static final byte[] BODY = body(956);

    private final RedisKit kit;
    private final int documents;
    private final Keyspace keyspace = Keyspace.of("load");
    private final RedisDocumentStore store;

    private LoadCheck(RedisKit kit, int documents) {
        this.kit = kit;
        this.documents = documents;
        this.store = kit.store(InstantSource.system());
    }

    public static void main(String[] arguments) {
        int documents = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 50_000;
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 3;
        try (OwnRedis redis = OwnRedis.startVolatile();
                RedisKit kit = new RedisKit(redis.url())) {
            new LoadCheck(kit, documents).run(rounds);
        }
    }

    private void run(int rounds) {
        StoreKit.await(store.catalog().createBucket(keyspace.bucket(), 1));
        for (int round = 1; round <= rounds; round++) {
            double set = measure(
                    "SET",
                    i -> kit.connection()
                            .async()
                            .set(Bytes.bytes("plain:" + i), BODY)
                            .toCompletableFuture());
            double write =
                    measure(round == 1 ? "insert" : "upsert", i -> store.write(Write.upsert(key(shuffled(i)), BODY)));
            double get = measure(
                    "GET",
                    i -> kit.connection().async().get(Bytes.bytes("plain:" + i)).toCompletableFuture());
            double read = measure("get", i -> store.get(key(shuffled(i))));
            double feed = feed();
            System.out.printf(
                    Locale.ROOT,
                    "round %d: write/SET CPU %.2f, get/GET CPU %.2f, feed row/GET CPU %.2f%n",
                    round,
                    write / set,
                    read / get,
                    feed / get);
        }
    }

    /** Visits the documents in an order that is not the one of their ids. */
    private int shuffled(int i) {
        return (int) ((i * 7919L) % documents);
    }

    private DocumentKey key(int i) {
        return new DocumentKey(keyspace, "airline_" + i);
    }

    /** Returns the Redis CPU of one call in microseconds. */
    private double measure(String name, IntFunction<CompletableFuture<?>> call) {
        double cpu = redisCpu();
        long began = System.nanoTime();
        Deque<CompletableFuture<?>> window = new ArrayDeque<>();
        for (int i = 0; i < documents; i++) {
            if (window.size() == WINDOW) {
                window.remove().join();
            }
            window.add(call.apply(i));
        }
        window.forEach(CompletableFuture::join);
        return report(name, began, cpu);
    }

    private double feed() {
        double cpu = redisCpu();
        long began = System.nanoTime();
        int read = 0;
        try (ChangeFeed feed = store.changes(keyspace.bucket(), 0, 0)) {
            while (read < documents) {
                read += StoreKit.await(feed.next(1000)).size();
            }
        }
        return report("feed", began, cpu);
    }

    private double report(String name, long began, double cpuBefore) {
        double seconds = (System.nanoTime() - began) / 1e9;
        double cpu = (redisCpu() - cpuBefore) * 1e6 / documents;
        System.out.printf(Locale.ROOT, "%-8s %9.0f/s  %6.2f us Redis CPU%n", name, documents / seconds, cpu);
        return cpu;
    }

    private double redisCpu() {
        return kit.console()
                .info("cpu")
                .lines()
                .filter(line -> line.startsWith("used_cpu_sys:") || line.startsWith("used_cpu_user:"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(':') + 1)))
                .sum();
    }

    private static byte[] body(int length) {
        StringBuilder json = new StringBuilder("{\"type\":\"airline\",\"text\":\"");
        while (json.length() < length - 2) {
            json.append((char) ('a' + json.length() % 26));
        }
        return StoreKit.bytes(json + "\"}");
    }
}
