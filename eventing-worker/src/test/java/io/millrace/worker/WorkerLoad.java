package io.millrace.worker;

import io.millrace.documents.DocumentStore;
import io.millrace.redis.RedisTls;
import io.millrace.testkit.OwnRedis;
import io.millrace.worker.bindings.RedisStore;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.WorkerCommand;
import io.millrace.workerprotocol.WorkerSetup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A load program, not a test: one worker that copies documents of 1 KB into another bucket. Prints processor time per
 * event, which means something on a busy machine too. Arguments: threads, events per step, steps,
 * {@code interpreted}.
 */
final class WorkerLoad {

    private static final int DISTINCT = 10_000;

    private WorkerLoad() {}

    public static void main(String[] args) throws Exception {
        int threads = args.length > 0 ? Integer.parseInt(args[0]) : 1;
        int events = args.length > 1 ? Integer.parseInt(args[1]) : 100_000;
        int steps = args.length > 2 ? Integer.parseInt(args[2]) : 5;
        try (OwnRedis redis = OwnRedis.startVolatile()) {
            DocumentStore store = new RedisStore(redis.url(), RedisTls.DEFAULT, "test").documents();
            store.catalog().createBucket("target", 1).join();
            try (WorkerProcess worker = WorkerProcess.start(command(args), setup(threads, redis.url()))) {
                System.out.printf(
                        "runtime=\"%s\" start_ms=%d%n",
                        worker.runtime(), worker.startTime().toMillis());
                for (int step = 0; step < steps; step++) {
                    run(worker, redis, threads, events);
                }
                printThreads(worker.process().pid());
                worker.shutdown();
                worker.exitCode();
            }
        }
        System.exit(0);
    }

    private static WorkerCommand command(String[] args) throws IOException {
        WorkerCommand command = WorkerProcess.command();
        return List.of(args).contains("interpreted") ? command.interpreted() : command;
    }

    private static void run(WorkerProcess worker, OwnRedis redis, int threads, int events) throws Exception {
        List<List<Event>> work = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            List<Event> own = new ArrayList<>();
            for (int n = thread; n < events; n += threads) {
                String body = "{\"id\":%d,\"name\":\"name of %d\",\"tags\":[1,2,3],\"text\":\"%s\"}"
                        .formatted(n, n, "lorem ipsum ".repeat(76));
                own.add(Samples.update("doc" + n % DISTINCT, n, body));
            }
            work.add(own);
        }
        long answered = worker.answered();
        Duration worker0 = worker.cpu();
        Duration redis0 = redisCpu(redis);
        long start = System.nanoTime();
        List<Thread> senders = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            int own = thread;
            senders.add(Thread.startVirtualThread(() -> send(worker, own, work.get(own))));
        }
        for (Thread sender : senders) {
            sender.join();
        }
        while (worker.answered() - answered < events) {
            Thread.onSpinWait();
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf(
                "threads=%d events=%d events_per_s=%.0f worker_cpu_us=%.1f redis_cpu_us=%.1f rss_mib=%d failures=%d%n",
                threads,
                events,
                events / seconds,
                worker.cpu().minus(worker0).toNanos() / 1e3 / events,
                redisCpu(redis).minus(redis0).toNanos() / 1e3 / events,
                worker.memoryKib("VmRSS") / 1024,
                worker.failures().size());
    }

    /**
     * Prints the threads that used most processor time; two of the numbers that Linux keeps are clock ticks of 10 ms.
     */
    private static void printThreads(long pid) throws IOException {
        Map<String, Long> ticks = new TreeMap<>();
        try (Stream<Path> tasks = Files.list(Path.of("/proc/" + pid + "/task"))) {
            for (Path task : tasks.toList()) {
                String stat = Files.readString(task.resolve("stat"));
                String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
                String name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
                ticks.merge(name, Long.parseLong(fields[11]) + Long.parseLong(fields[12]), Long::sum);
            }
        }
        ticks.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(8)
                .forEach(thread ->
                        System.out.printf("thread=\"%s\" cpu_ms=%d%n", thread.getKey(), thread.getValue() * 10));
    }

    private static void send(WorkerProcess worker, int thread, List<Event> events) {
        try {
            worker.send(thread, events);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Duration redisCpu(OwnRedis redis) {
        return ProcessHandle.of(redis.pid())
                .flatMap(process -> process.info().totalCpuDuration())
                .orElse(Duration.ZERO);
    }

    private static WorkerSetup setup(int threads, String redisUrl) {
        return new WorkerSetup(
                "load",
                "instance1",
                new WorkerSetup.Source(
                        "function OnUpdate(doc, meta) { dst[meta.id] = doc; }",
                        List.of("'use strict';"),
                        List.of(),
                        "7.2.0",
                        false),
                new WorkerSetup.Limits(threads, 60_000, 512L << 20),
                "INFO",
                "source",
                redisUrl,
                List.of(new WorkerSetup.Alias("dst", "target", "_default", "_default", true)));
    }
}
