package io.millrace.benchmarks;

import io.lettuce.core.api.async.RedisAsyncCommands;
import io.millrace.benchmarks.suite.Percentiles;
import io.millrace.benchmarks.suite.RedisConnection;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Limits;
import io.millrace.documents.TransactionId;
import io.millrace.documents.Write;
import io.millrace.documents.redis.RedisDocumentStore;
import io.millrace.launcher.redis.RedisServer;
import io.millrace.streams.StreamStores;
import io.millrace.streams.store.EncodedEvent;
import io.millrace.streams.store.Expected;
import io.millrace.streams.store.StreamId;
import io.millrace.streams.store.StreamName;
import io.millrace.streams.store.StreamStore;
import io.millrace.streams.store.StreamStore.SyncRequest;
import io.millrace.streams.store.StreamStore.SyncResult;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;

/** Measures writes, syncs and tip reads, compared with plain SET and GET on the same Redis without append-only file. */
final class EngineCosts {

    private static final int BATCH = 64;
    private static final int KEYS = 2_048;

    /** How many writes wait at the same time, so that the calls behind the first ones are full. */
    private static final int WAITING = 1_024;

    private static final int WAITING_BYTES = 32 * 1024 * 1024;
    private static final String BUCKET = "bench";
    private static final byte[] KILOBYTE = text(1024);

    private final ChangesBench.Scale scale;
    private final PrintStream out;

    EngineCosts(ChangesBench.Scale scale, PrintStream out) {
        this.scale = scale;
        this.out = out;
    }

    void run() throws Exception {
        var directory = Files.createTempDirectory("millrace-bench");
        var settings = RedisServer.Settings.volatileIn(directory).with(Map.of("hash-max-listpack-value", "4096"));
        try (RedisServer server = RedisServer.start(settings);
                RedisConnection redis = RedisConnection.open(server.url());
                RedisDocumentStore store = redis.documentStore()) {
            store.catalog().createBucket(BUCKET, 1).join();
            Map<String, IntFunction<CompletionStage<?>>> writes = writes(redis, store);
            memory(redis, writes);
            pipelined(redis, writes);
            fullCalls(redis, store);
            oneByOne("one at a time", writes);
            oneByOne("reads, one at a time", reads(redis, store));
        }
    }

    private static Map<String, IntFunction<CompletionStage<?>>> writes(
            RedisConnection redis, RedisDocumentStore store) {
        RedisAsyncCommands<byte[], byte[]> commands = redis.commands();
        StreamStore streams = StreamStores.on(store, Keyspace.of(BUCKET));
        Map<String, IntFunction<CompletionStage<?>>> writes = new LinkedHashMap<>();
        writes.put("SET, 1 KB", n -> commands.set(bytes("plain:" + n), KILOBYTE));
        writes.put("document write, 1 KB", n -> store.write(Write.upsert(document(n), KILOBYTE)));
        writes.put("stream sync, event 200 B, unfold 600 B", n -> streams.sync(stream(n), sync()));
        return writes;
    }

    private static Map<String, IntFunction<CompletionStage<?>>> reads(RedisConnection redis, RedisDocumentStore store) {
        RedisAsyncCommands<byte[], byte[]> commands = redis.commands();
        StreamStore streams = StreamStores.on(store, Keyspace.of(BUCKET));
        StreamName known = StreamName.create("Known", new StreamId("1"));
        long etag = ((SyncResult.Written) streams.sync(known, sync()).join()).etag();
        Map<String, IntFunction<CompletionStage<?>>> reads = new LinkedHashMap<>();
        reads.put("GET, 1 KB", n -> commands.get(bytes("plain:" + n)));
        reads.put("unmodified tip (304)", n -> streams.tip(known, etag));
        reads.put("tip (200)", n -> streams.tip(known, 0));
        reads.put("tip of a missing stream (404)", n -> streams.tip(StreamName.create("None", new StreamId("1")), 0));
        return reads;
    }

    private static DocumentKey document(int n) {
        return new DocumentKey(Keyspace.of(BUCKET), "document-" + n);
    }

    private static StreamName stream(int n) {
        return StreamName.create("Stream", new StreamId(Integer.toString(n)));
    }

    private static SyncRequest sync() {
        EncodedEvent event = EncodedEvent.of("Happened", '"' + "x".repeat(150) + '"', Instant.EPOCH);
        EncodedEvent unfold = EncodedEvent.of("State", '"' + "x".repeat(550) + '"', Instant.EPOCH);
        return new SyncRequest(Expected.any(), List.of(event), List.of(unfold), 10, 30_000, TransactionId.random());
    }

    /** Measures the memory of a key by its first write. */
    private void memory(RedisConnection redis, Map<String, IntFunction<CompletionStage<?>>> kinds) throws Exception {
        out.printf("%nmemory of Redis, %,d of each%n", KEYS);
        for (var kind : kinds.entrySet()) {
            long before = redis.usedMemory();
            inBatches(kind.getValue(), KEYS);
            out.printf("  %-40s %,8d bytes%n", kind.getKey(), (redis.usedMemory() - before) / KEYS);
        }
    }

    private void pipelined(RedisConnection redis, Map<String, IntFunction<CompletionStage<?>>> kinds) throws Exception {
        Map<String, Long> used = new LinkedHashMap<>();
        for (int round = -1; round < scale.rounds(); round++) { // the first warms up
            for (var kind : kinds.entrySet()) {
                long before = redis.cpuMicros();
                inBatches(kind.getValue(), scale.operations());
                if (round >= 0) {
                    used.merge(kind.getKey(), redis.cpuMicros() - before, Long::sum);
                }
            }
        }
        out.printf(
                "%n%d at a time, %d rounds of %,d: CPU time of Redis; writes of documents go together%n",
                BATCH, scale.rounds(), scale.operations());
        double unit = 0;
        for (var kind : used.entrySet()) {
            double micros = (double) kind.getValue() / scale.rounds() / scale.operations();
            unit = unit == 0 ? micros : unit;
            out.printf("  %-40s %8.2f us  %5.2f times%n", kind.getKey(), micros, micros / unit);
        }
    }

    /** Measures how long one call keeps Redis busy when as many writes go together as may: by number, and by bytes. */
    private void fullCalls(RedisConnection redis, RedisDocumentStore store) throws Exception {
        out.printf("%none call with all writes that wait: CPU time of Redis, which does nothing else meanwhile%n");
        int[] sizes = {870, Limits.MAX_BYTES_TOGETHER / Limits.MAX_WRITES_TOGETHER, Limits.MAX_BYTES_TOGETHER};
        for (int bytes : sizes) {
            byte[] body = text(bytes);
            int waiting = Math.min(WAITING, WAITING_BYTES / bytes);
            IntFunction<CompletionStage<?>> write =
                    n -> store.write(Write.upsert(new DocumentKey(Keyspace.of(BUCKET), "full-" + n), body));
            inBatches(write, waiting, waiting); // all documents are there before
            long calls = redis.calls("fcall");
            long micros = redis.cpuMicros();
            int count = waiting * Math.max(1, scale.operations() / 10 / waiting);
            inBatches(write, count, waiting);
            double each = redis.calls("fcall") - calls;
            out.printf(
                    "  %,10d bytes each: %5.1f documents a call, %,7.0f us a call%n",
                    bytes, count / each, (redis.cpuMicros() - micros) / each);
        }
    }

    private void oneByOne(String title, Map<String, IntFunction<CompletionStage<?>>> kinds) {
        int each = scale.operations() / 10;
        Map<String, List<Long>> nanos = new LinkedHashMap<>();
        for (int round = -1; round < scale.rounds(); round++) { // the first warms up
            for (var kind : kinds.entrySet()) {
                for (int i = 0; i < each; i++) {
                    long began = System.nanoTime();
                    kind.getValue().apply(i % KEYS).toCompletableFuture().join();
                    if (round >= 0) {
                        nanos.computeIfAbsent(kind.getKey(), name -> new ArrayList<>())
                                .add(System.nanoTime() - began);
                    }
                }
            }
        }
        out.printf("%n%s, %d rounds of %,d: time of one%n", title, scale.rounds(), each);
        double unit = 0;
        for (var kind : nanos.entrySet()) {
            Percentiles times = new Percentiles(
                    kind.getValue().stream().mapToLong(Long::longValue).toArray());
            double median = times.at(50) / 1e3;
            unit = unit == 0 ? median : unit;
            out.printf(
                    "  %-40s p50 %7.1f us  p99 %7.1f us  %5.2f times%n",
                    kind.getKey(), median, times.at(99) / 1e3, median / unit);
        }
    }

    /** Sends batches, each in one piece, so that small packets do not distort the CPU time of the server. */
    private static void inBatches(IntFunction<CompletionStage<?>> operation, int count) {
        inBatches(operation, count, BATCH);
    }

    private static void inBatches(IntFunction<CompletionStage<?>> operation, int count, int size) {
        operation.apply(0).toCompletableFuture().join(); // warms up lookups of the first call
        CompletableFuture<?>[] batch = new CompletableFuture<?>[size];
        for (int sent = 0; sent < count; sent += size) {
            for (int i = 0; i < size; i++) {
                batch[i] = operation.apply((sent + i) % KEYS).toCompletableFuture();
            }
            CompletableFuture.allOf(batch).join();
        }
    }

    private static byte[] text(int bytes) {
        byte[] text = new byte[bytes];
        Arrays.fill(text, (byte) 'x');
        text[0] = '"';
        text[bytes - 1] = '"';
        return text;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
