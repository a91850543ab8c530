package io.millrace.benchmarks.kv;

import io.lettuce.core.api.async.RedisAsyncCommands;
import io.millrace.benchmarks.access.PermissionCosts;
import io.millrace.benchmarks.suite.BenchArguments;
import io.millrace.benchmarks.suite.ProcessUsage;
import io.millrace.benchmarks.suite.Recording;
import io.millrace.benchmarks.suite.SampleDocuments;
import io.millrace.memcached.Opcode;
import io.millrace.memcached.client.Call;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Measures documents and sub-documents over the binary protocol, compared with plain GET and SET of the same bytes on the same
 * Redis: operations per second and CPU time per operation of every process, with the same number of requests in flight.
 */
public final class KvBench {

    /**
     * The size of a run.
     *
     * @param documents the number of documents
     * @param operations of each kind
     * @param roles whether checks of permissions are measured, too
     */
    private record Scale(int documents, int operations, boolean roles) {
        private static final Scale FULL = new Scale(10_000, 200_000, true);
        private static final Scale SHORT = new Scale(10_000, 100_000, false);
    }

    private static final String BUCKET = "kv";

    private static final KvLoad LOAD = new KvLoad(4, 64);

    private final Scale scale;

    /** Where the flight recordings of what counts are kept, null for none. */
    private final @Nullable Path recording;

    private final PrintStream out;

    private KvBench(Scale scale, @Nullable Path recording, PrintStream out) {
        this.scale = scale;
        this.recording = recording;
        this.out = out;
    }

    /** Reads the arguments behind the name of the benchmark. */
    public static KvBench of(List<String> args, PrintStream out) {
        BenchArguments given = BenchArguments.of(args);
        return new KvBench(given.shortRun() ? Scale.SHORT : Scale.FULL, given.recording(), out);
    }

    /** Returns whether a check of a permission costs as little as it should. */
    public boolean run() throws Exception {
        boolean right = !scale.roles || PermissionCosts.print(out);
        try (KvSuite suite = KvSuite.start()) {
            suite.createBucket(BUCKET);
            out.printf(
                    "%n%,d documents of %,d bytes, %,d operations of each kind, %d connections with %d requests in"
                            + " flight%n",
                    scale.documents, body(1).length, scale.operations, LOAD.connections(), LOAD.window());
            round(suite, false); // warms up
            Recording recorded = recording == null ? null : Recording.start(recording, suite.processes());
            round(suite, true);
            if (recorded != null) {
                recorded.keep().forEach((process, file) -> out.printf("recording of %s: %s%n", process, file));
            }
            if (scale.roles) {
                IntFunction<Call> get = n -> Call.of(Opcode.GET, id(n % scale.documents));
                right &= new CheckCosts(LOAD, out).measure(suite, BUCKET, get);
            }
        }
        return right;
    }

    private void round(KvSuite suite, boolean counts) throws Exception {
        RedisAsyncCommands<byte[], byte[]> redis = suite.redis().commands();
        measure(suite, "redis SET", counts, () -> pipelined(n -> redis.set(key(n), body(n))));
        measure(suite, "redis GET", counts, () -> pipelined(n -> redis.get(key(n))));
        measure(suite, "SET", counts, () -> binary(suite, n -> set(n)));
        measure(suite, "GET", counts, () -> binary(suite, n -> Call.of(Opcode.GET, id(n))));
        measure(suite, "lookupIn, 2 paths", counts, () -> binary(suite, KvBench::lookup));
        measure(suite, "mutateIn, 1 path", counts, () -> binary(suite, KvBench::mutate));
    }

    private interface Work {
        void run() throws Exception;
    }

    private void measure(KvSuite suite, String name, boolean counts, Work work) throws Exception {
        Map<String, Duration> before = ProcessUsage.cpu(suite.processes());
        long began = System.nanoTime();
        work.run();
        double seconds = (System.nanoTime() - began) / 1e9;
        Map<String, Duration> after = ProcessUsage.cpu(suite.processes());
        if (!counts) {
            return;
        }
        out.printf("%-18s %,9.0f/s", name, scale.operations / seconds);
        double[] sum = new double[1];
        StringBuilder parts = new StringBuilder();
        before.forEach((process, used) -> {
            double micros = after.getOrDefault(process, used).minus(used).toNanos() / 1e3 / scale.operations;
            sum[0] += micros;
            parts.append(", %s %.1f".formatted(process, micros));
        });
        out.printf("  CPU per operation in us: %.1f%s%n", sum[0], parts);
    }

    private void pipelined(IntFunction<CompletionStage<?>> command) throws InterruptedException {
        Semaphore free = new Semaphore(LOAD.inFlight());
        AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();
        for (int i = 0; i < scale.operations; i++) {
            free.acquire();
            command.apply(i % scale.documents).whenComplete((answer, failure) -> {
                if (failure != null) {
                    failed.compareAndSet(null, failure);
                }
                free.release();
            });
        }
        free.acquire(LOAD.inFlight());
        Throwable failure = failed.get();
        if (failure != null) {
            throw new CompletionException(failure);
        }
    }

    private void binary(KvSuite suite, IntFunction<Call> call) throws Exception {
        LOAD.run(suite, KvSuite.USER, BUCKET, scale.operations, n -> call.apply(n % scale.documents));
    }

    private static Call set(int n) {
        return Call.of(Opcode.SET, id(n)).withExtras(new byte[8]).withValue(body(n));
    }

    private static Call lookup(int n) {
        ByteArrayOutputStream specs = new ByteArrayOutputStream();
        for (String path : new String[] {"total", "items[0].price"}) {
            specs.write(Opcode.SUBDOC_GET.code());
            specs.write(0);
            specs.write(0);
            specs.write(path.length());
            specs.writeBytes(path.getBytes(StandardCharsets.UTF_8));
        }
        return Call.of(Opcode.SUBDOC_MULTI_LOOKUP, id(n)).withValue(specs.toByteArray());
    }

    private static Call mutate(int n) {
        byte[] path = "total".getBytes(StandardCharsets.UTF_8);
        byte[] value = Integer.toString(n).getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream spec = new ByteArrayOutputStream();
        spec.write(Opcode.SUBDOC_DICT_UPSERT.code());
        spec.write(0);
        spec.write(0);
        spec.write(path.length);
        spec.writeBytes(Call.numbers(value.length));
        spec.writeBytes(path);
        spec.writeBytes(value);
        return Call.of(Opcode.SUBDOC_MULTI_MUTATION, id(n)).withValue(spec.toByteArray());
    }

    private static byte[] body(int n) {
        String text = new String(SampleDocuments.body(n, 0), StandardCharsets.UTF_8);
        return ("{\"total\":0," + text.substring(1)).getBytes(StandardCharsets.UTF_8);
    }

    private static String id(int n) {
        return SampleDocuments.id(n);
    }

    private static byte[] key(int n) {
        return ("plain:" + n).getBytes(StandardCharsets.UTF_8);
    }
}
