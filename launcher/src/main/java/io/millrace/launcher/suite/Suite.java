package io.millrace.launcher.suite;

import io.millrace.launcher.LauncherException;
import io.millrace.launcher.Ports;
import io.millrace.launcher.gateway.Login;
import io.millrace.launcher.redis.RedisConsole;
import io.millrace.launcher.redis.RedisServer;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Millrace on one machine: the four services as processes, or as one, and a Redis unless the settings name one.
 *
 * <p>A process that ends unexpectedly is restarted. {@link #close()} and the end of this JVM stop all processes in order:
 * the gateway first, Redis last. A data directory belongs to one suite at a time.
 */
public final class Suite implements AutoCloseable {

    /** How long the services may take to stop when the user ends the launcher. */
    private static final Duration STOP_LIMIT_WITH_JVM = Duration.ofSeconds(4);

    /** How long services whose launcher was killed may take to notice that and to stop. */
    private static final Duration LEFT_BEHIND_LIMIT = Duration.ofSeconds(15);

    /**
     * The gateway may use this part of the limit. It holds no state, but waits for open requests, such as a page that
     * follows a log; the services behind it need time to stop in order.
     */
    private static final int GATEWAY_PART = 3;

    private final Map<Service, ServiceProcess> processes = new ConcurrentHashMap<>();
    private final List<Supervisor> supervisors = new ArrayList<>();
    private final List<EventingNode> nodes = new CopyOnWriteArrayList<>();
    private final SuiteSettings settings;
    private final Thread ender = new Thread(this::endWithJvm, "suite-ender");
    private final Consumer<String> say;
    private final DataDirectory data;
    private final ServicePrograms programs;
    private final String sdkUrl;
    private final Instant since = Instant.now();
    private volatile @Nullable RedisServer redis;
    private volatile String redisUrl = "";
    private volatile @Nullable Thread redisStarter;
    private boolean ended;
    private volatile boolean jvmEnds;
    private SuiteTls tls = SuiteTls.NONE;
    private Map<String, String> environment = Map.of();

    private Suite(SuiteSettings settings, DataDirectory data) {
        this.settings = settings;
        this.say = settings.say;
        this.data = data;
        this.programs = new ServicePrograms(settings);
        this.sdkUrl = SuiteTls.sdkUrl(settings, settings.url(Service.SUBDOC).getHost());
    }

    /**
     * Starts everything and waits until all services are ready.
     *
     * @throws LauncherException if a process fails to start; no process is left running
     */
    public static Suite start(SuiteSettings settings) {
        DataDirectory data = DataDirectory.lock(settings.data.toAbsolutePath(), settings.url(Service.GATEWAY));
        Suite suite = new Suite(settings, data);
        try {
            suite.endsWithJvm();
            suite.publish(false); // a start may take long, and other commands must see it
            settings.checkPorts(data.isLeftBehind() ? LEFT_BEHIND_LIMIT : Duration.ZERO);
            suite.tls = SuiteTls.of(settings, settings::variable);
            if (settings.quickStarts) {
                ClassArchives.ensure(settings);
            }
            suite.startRedis();
            suite.publish(false);
            suite.startServices();
            suite.watch();
            suite.publish(true);
            return suite;
        } catch (RuntimeException e) {
            suite.close();
            throw e;
        }
    }

    /** Returns the base URL of a service. */
    public URI url(Service service) {
        return settings.url(service);
    }

    /** Returns the connection string for Couchbase SDKs. */
    public String sdkUrl() {
        return sdkUrl;
    }

    public String redisUrl() {
        return redisUrl;
    }

    /** Returns the login of the administrator. */
    public Login login() {
        return Login.read(AdministratorLogin.file(settings.data)).orElseThrow();
    }

    /** Returns the file of the secret by which the services know each other. */
    public Path clusterSecret() {
        return programs.clusterSecret();
    }

    /** Returns the id of the process that now runs a service; a restart changes it. */
    public long pid(Service service) {
        return process(service).pid();
    }

    /** Kills a service, as a crash does, with those in the same process; the suite restarts it. */
    public void kill9(Service service) throws InterruptedException {
        process(service).kill9();
    }

    /** Kills Redis, as a crash does; the suite restarts it with the same port and data. */
    public void kill9Redis() {
        ownRedis().kill9();
    }

    /**
     * Starts an additional eventing node on a free port and waits until it is ready. It ends with the suite at the latest.
     *
     * @param id the node's id in the cluster; with an id that was used before, it is the same node to the others
     * @param redisUrl the URL for the suite's Redis, for example that of a proxy
     */
    public EventingNode startNode(String id, String redisUrl) {
        int port = Ports.free();
        Path log = settings.logs.resolve(id + ".log").toAbsolutePath();
        Map<String, String> own = new HashMap<>(environment);
        own.put("SERVER_PORT", Integer.toString(port));
        own.put("MILLRACE_NODE_ID", id);
        own.put("REDIS_URL", redisUrl);
        own.put("MILLRACE_LOG_DIR", settings.logs.resolve(id).toAbsolutePath().toString());
        URI url = settings.url("http", port);
        ServiceProcess process =
                new ServiceProcess(id, () -> programs.command(Service.EVENTING), own, log, List.of(url), tls.trust());
        EventingNode node = new EventingNode(id, url, process, log);
        nodes.add(node);
        startOne(process, System.nanoTime());
        return node;
    }

    /** Waits until a service, which may be restarting, reports that it is ready. */
    public void awaitReady(Service service) throws InterruptedException {
        process(service).awaitReady();
    }

    /** Returns a client for single commands to Redis. */
    public RedisConsole redisConsole() {
        return new RedisConsole(redisUrl, Duration.ofSeconds(10), settings::variable);
    }

    /** Stops every process in order. */
    @Override
    public void close() {
        end();
        try {
            Runtime.getRuntime().removeShutdownHook(ender);
        } catch (IllegalStateException e) {
            // the JVM is shutting down: the hook runs or has run
        }
    }

    private void end() {
        end(ServiceProcess.STOP_LIMIT);
    }

    /** A user who pressed Ctrl-C waits: services that take longer are killed, which loses nothing. */
    private void endWithJvm() {
        jvmEnds = true;
        long started = System.nanoTime();
        say.accept("Stopping the services and Redis ...");
        Thread starter = redisStarter;
        if (starter != null) {
            starter.interrupt(); // it kills the Redis, which may be reading a long file
        }
        if (settings.recordArchives != null) {
            Set.copyOf(processes.values()).forEach(ServiceProcess::kill); // instead of writing an archive
        }
        end(STOP_LIMIT_WITH_JVM);
        say.accept(String.format("Stopped after %.1f s; the data is kept.", (System.nanoTime() - started) / 1e9));
    }

    /** Redis has a time limit of its own: it must write what it has acknowledged. */
    synchronized void end(Duration limit) {
        if (ended) {
            return;
        }
        ended = true;
        long started = System.nanoTime();
        long deadline = started + limit.toNanos();
        supervisors.forEach(Supervisor::close);
        if (settings.oneProcess) {
            nodes.forEach(EventingNode::close);
            endTogether(deadline, Service.GATEWAY); // the process stops its services in the order below
        } else {
            endTogether(started + limit.toNanos() / GATEWAY_PART, Service.GATEWAY);
            nodes.forEach(EventingNode::close);
            endTogether(deadline, Service.EVENTING);
            endTogether(deadline, Service.SUBDOC, Service.METAKV);
        }
        RedisServer own = redis;
        if (own != null) {
            own.stop();
        }
        data.close();
    }

    private void endTogether(long deadline, Service... services) {
        List<Thread> threads = new ArrayList<>();
        for (Service service : services) {
            ServiceProcess process = processes.get(service);
            if (process != null) {
                threads.add(Thread.ofVirtual().start(() -> process.end(deadline)));
            }
        }
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** From the first process on: one that is started while this JVM ends would outlive it. */
    private void endsWithJvm() {
        try {
            Runtime.getRuntime().addShutdownHook(ender);
        } catch (IllegalStateException e) {
            throw stopped();
        }
    }

    /** Redis is started completely or not at all before {@link #end} goes on. */
    private synchronized void startRedis() {
        checkNotEnded();
        String given = settings.redisUrl;
        if (given != null) {
            checkGivenRedis(given);
            redisUrl = given;
            return;
        }
        Path directory = settings.data.resolve("redis").toAbsolutePath();
        redisStarter = Thread.currentThread();
        RedisServer.stopLeftOver(directory, say);
        RedisServer.Settings durable = RedisServer.Settings.durableIn(directory)
                .withPort(settings.redisPort)
                .with(settings.redisSettings);
        RedisServer started = RedisServer.startUnhooked(durable, say);
        redisStarter = null;
        redis = started;
        redisUrl = started.url();
        say.accept(started.description() + " at " + redisUrl + ", append-only file in " + directory);
    }

    private void checkNotEnded() {
        if (ended || jvmEnds) {
            throw stopped();
        }
    }

    private static LauncherException stopped() {
        return new LauncherException("Stopped before Millrace was ready.");
    }

    private void checkGivenRedis(String url) {
        if (!url.matches("rediss?(-cluster)?://.+")) {
            throw new LauncherException("REDIS_URL is not the URL of a Redis: " + withoutPassword(url)
                    + "; use redis://host:port, rediss://host:port or redis-cluster://host:port,host:port");
        }
        // the health of the services reports an unreachable cluster
        if (RedisConsole.isAddress(url)
                && !new RedisConsole(url, Duration.ofSeconds(5), settings::variable).answers()) {
            throw new LauncherException("No Redis answers at REDIS_URL " + withoutPassword(url)
                    + ". Start it, or unset REDIS_URL to let Millrace start one.");
        }
    }

    private synchronized void publish(boolean ready) {
        checkNotEnded();
        Map<String, URI> urls = new LinkedHashMap<>();
        for (Service service : Service.values()) {
            urls.put(service.moduleName(), settings.url(service));
        }
        data.publish(new SuiteState(
                ProcessHandle.current().pid(),
                since,
                ready,
                urls,
                sdkUrl,
                withoutPassword(redisUrl),
                settings.logs.toAbsolutePath().normalize()));
    }

    private static String withoutPassword(String redisUrl) {
        return redisUrl.replaceFirst("//[^@/]*@", "//");
    }

    private void startServices() {
        environment = programs.environment(tls, redisUrl);
        long started = System.nanoTime();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<CompletableFuture<Void>> ready = new ArrayList<>();
            for (ServiceProcess process : newProcesses()) {
                ready.add(CompletableFuture.runAsync(() -> startOne(process, started), threads));
            }
            failFast(ready);
        }
    }

    /** Waits for all; the first failure stops the suite, so that the others stop waiting. */
    private void failFast(List<CompletableFuture<Void>> ready) {
        CompletableFuture<Void> firstFailure = new CompletableFuture<>();
        for (CompletableFuture<Void> one : ready) {
            one.whenComplete((nothing, failure) -> {
                if (failure != null) {
                    firstFailure.completeExceptionally(failure);
                }
            });
        }
        CompletableFuture<?> all = CompletableFuture.allOf(ready.toArray(CompletableFuture[]::new));
        try {
            CompletableFuture.anyOf(all, firstFailure).join();
        } catch (CompletionException e) {
            if (jvmEnds) {
                throw stopped();
            }
            end();
            throw e.getCause() instanceof LauncherException known
                    ? known
                    : new LauncherException("Cannot start the suite: " + e.getMessage(), e);
        }
    }

    /** A process that {@link #end} knows cannot be started after it. */
    private synchronized List<ServiceProcess> newProcesses() {
        checkNotEnded();
        if (settings.oneProcess) {
            ServiceProcess all = newProcess(
                    SuiteSettings.ALL_SERVICES, programs::commandForAll, environment, List.of(Service.values()));
            return List.of(all);
        }
        List<ServiceProcess> each = new ArrayList<>();
        for (Service service : Service.values()) {
            Map<String, String> own = new HashMap<>(environment);
            own.put("SERVER_PORT", Integer.toString(settings.portOf(service)));
            each.add(newProcess(service.moduleName(), () -> programs.command(service), own, List.of(service)));
        }
        return each;
    }

    private ServiceProcess newProcess(
            String name, Supplier<List<String>> command, Map<String, String> environment, List<Service> services) {
        List<URI> urls = services.stream().map(settings::url).toList();
        Path log = settings.logFile(services.getFirst()).toAbsolutePath();
        ServiceProcess process = new ServiceProcess(name, command, environment, log, urls, tls.trust());
        services.forEach(service -> processes.put(service, process));
        return process;
    }

    private void startOne(ServiceProcess process, long started) {
        try {
            process.start();
            process.awaitFirstReady();
            say.accept(String.format("%-16s ready after %.1f s", process.name(), (System.nanoTime() - started) / 1e9));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LauncherException("Interrupted while starting " + process.name(), e);
        }
    }

    private synchronized void watch() {
        checkNotEnded();
        for (ServiceProcess process : Set.copyOf(processes.values())) {
            supervisors.add(Supervisor.watch(process, say));
        }
        RedisServer own = redis;
        if (own != null) {
            supervisors.add(Supervisor.watch(new SupervisedRedis(own), say));
        }
    }

    private ServiceProcess process(Service service) {
        ServiceProcess process = processes.get(service);
        if (process == null) {
            throw new LauncherException(service.moduleName() + " is not running");
        }
        return process;
    }

    private RedisServer ownRedis() {
        RedisServer own = redis;
        if (own == null) {
            throw new LauncherException(
                    "The Redis at " + redisUrl + " was not started by this suite, so the suite cannot stop it");
        }
        return own;
    }
}
