package io.millrace.local;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.netty.resources.LoopResources;

/** Runs services in one JVM until it is terminated. If one of them cannot start, the process ends. */
final class LocalServices {

    /** The gateway comes first; it may wait for requests that do not end, such as a page that follows a log. */
    private static final Duration STOP_LIMIT_FIRST = Duration.ofMillis(1300);

    private static final Duration STOP_LIMIT = Duration.ofSeconds(25);

    private static final int PART_OF_HEAP = 4;

    private final List<RunningService> services;
    private final CompletableFuture<Void> allReady;

    private LocalServices(List<RunningService> services, CompletableFuture<Void> allReady) {
        this.services = services;
        this.allReady = allReady;
    }

    /**
     * Starts services, and stops them in reverse order when the JVM ends. It ends with the launcher that started it.
     *
     * @param arguments a {@code <service>=<port>} for each; the jars of the services are in the class path
     */
    public static void main(String... arguments) throws IOException, InterruptedException {
        if (Boolean.getBoolean(LauncherWatch.PROPERTY)) {
            LauncherWatch.start(System.in, () -> System.exit(1));
        }
        LoopResources loops = LoopResources.create("http", LoopResources.DEFAULT_IO_WORKER_COUNT, true);
        String classPath = System.getProperty("java.class.path");
        CompletableFuture<Void> allReady = new CompletableFuture<>();
        long budgetBytes = budgetBytes(Runtime.getRuntime().maxMemory(), arguments.length);
        List<RunningService> services = new ArrayList<>();
        for (String argument : arguments) {
            String name = argument.substring(0, argument.indexOf('='));
            int port = Integer.parseInt(argument.substring(name.length() + 1));
            services.add(
                    new RunningService(name, port, ServiceJar.find(name, classPath), loops, allReady, budgetBytes));
        }
        new LocalServices(List.copyOf(services), allReady).run();
    }

    /**
     * Returns the bytes of requests and responses that each service may hold. Alone in its process, a service takes a quarter of
     * the heap; together they take no more.
     */
    static long budgetBytes(long heapBytes, int services) {
        return heapBytes / PART_OF_HEAP / services;
    }

    private void run() throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "stop"));
        CountDownLatch loggingReady = new CountDownLatch(1);
        AtomicInteger starting = new AtomicInteger(services.size());
        for (RunningService service : services) {
            // daemon: the contexts have threads of their own that keep the JVM alive
            Thread.ofPlatform().daemon().name(service.name()).start(() -> {
                start(service, loggingReady);
                if (starting.decrementAndGet() == 0) {
                    allReady.complete(null);
                }
            });
            // two services that configure the logging at the same time would log each line twice
            loggingReady.await();
        }
        new CountDownLatch(1).await();
    }

    private static void start(RunningService service, CountDownLatch loggingReady) {
        try {
            service.start(loggingReady);
        } catch (ClassNotFoundException | RuntimeException | LinkageError e) {
            // Spring has logged failures of a context; this also covers those before it
            System.err.println(service.name() + " could not be started: " + e);
            System.exit(1);
        }
    }

    private void stop() {
        List<RunningService> reversed = services.reversed();
        for (RunningService service : reversed) {
            service.stop(service == reversed.getFirst() ? STOP_LIMIT_FIRST : STOP_LIMIT);
        }
    }
}
