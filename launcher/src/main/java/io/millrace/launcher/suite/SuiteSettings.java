package io.millrace.launcher.suite;

import io.millrace.launcher.LauncherException;
import io.millrace.launcher.Ports;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The settings of a suite: {@link #of} creates the defaults, the other methods change one setting each. */
public final class SuiteSettings {
    /** The name of the process that runs all services. */
    static final String ALL_SERVICES = "services";

    /** The port for Couchbase SDKs. */
    public static final int DEFAULT_KV_PORT = 11_210;

    private static final int DEFAULT_KV_TLS_PORT = 11_207;

    /** The environment variable that sets the port of the binary protocol. */
    public static final String KV_PORT_VARIABLE = "MILLRACE_KV_PORT";

    /** The environment variable that sets the port of the binary protocol with TLS. */
    public static final String KV_TLS_PORT_VARIABLE = "MILLRACE_KV_TLS_PORT";

    /** The environment variable that lets requests without credentials in. */
    public static final String OPEN_VARIABLE = "MILLRACE_OPEN";

    final Installation installation;
    private final Map<Service, Integer> ports = new EnumMap<>(Service.class);
    final Map<String, String> environment = new HashMap<>();
    List<String> jvmOptions = List.of();
    boolean oneProcess;
    boolean quickStarts;
    boolean open;
    boolean tls;
    Map<String, String> redisSettings = Map.of();
    String bind = "127.0.0.1";
    int redisPort;
    int portOffset;
    int kvPort = DEFAULT_KV_PORT;
    int kvTlsPort = DEFAULT_KV_TLS_PORT;

    @Nullable
    String redisUrl;

    @Nullable
    Path recordArchives;

    Path data = Path.of("data");
    Path logs = Path.of("logs");
    Consumer<String> say = line -> {};

    SuiteSettings(Installation installation) {
        this.installation = installation;
        for (Service service : Service.values()) {
            ports.put(service, service.defaultPort());
        }
    }

    /**
     * Returns the default settings for the programs built below {@code root}, which run from copies in {@code home}, or for
     * the distribution that was unpacked to {@code root}.
     */
    public static SuiteSettings of(Path root, Path home) {
        return new SuiteSettings(
                UnpackedDistribution.isAt(root) ? new UnpackedDistribution(root) : new BuiltTree(root, home));
    }

    /** Returns the file that receives the output of a service; services in one process share it. */
    public Path logFile(Service service) {
        return logs.resolve((oneProcess ? ALL_SERVICES : service.moduleName()) + ".log");
    }

    int portOf(Service service) {
        return Objects.requireNonNull(ports.get(service));
    }

    /** Returns the base URL of a service. */
    URI url(Service service) {
        return url(tls && SuiteTls.SERVICES.contains(service) ? "https" : "http", portOf(service));
    }

    /** Returns the base URL of a port; services that listen on all addresses are reached through the loopback address. */
    URI url(String scheme, int port) {
        return URI.create(scheme + "://" + (bind.equals("0.0.0.0") ? "127.0.0.1" : bind) + ":" + port);
    }

    /** Sets the HTTP port of a service. */
    public SuiteSettings port(Service service, int port) {
        ports.put(service, port);
        return this;
    }

    /**
     * Runs all services in one process, which starts faster and takes a third of the memory; they crash together. By default
     * each is a process.
     */
    public SuiteSettings oneProcess() {
        oneProcess = true;
        return this;
    }

    /** Returns the names of the processes that run services. */
    List<String> processNames() {
        return oneProcess
                ? List.of(ALL_SERVICES)
                : Arrays.stream(Service.values()).map(Service::moduleName).toList();
    }

    /** Makes the class archives before the start if they are missing, so that this start and the next ones are quick. */
    public SuiteSettings quickStarts() {
        quickStarts = true;
        return this;
    }

    /** Returns whether the start begins with making class archives. */
    public boolean needsPreparation() {
        return ClassArchives.areMissing(this);
    }

    /** Returns settings for a run of the same programs with nothing else in common, until the services are ready. */
    SuiteSettings forTraining() {
        SuiteSettings training = new SuiteSettings(installation);
        training.oneProcess = oneProcess;
        // a worker process would only take time from the services
        return training.jvmOptions(
                Stream.concat(jvmOptions.stream(), Stream.of("-Dmillrace.eventing.spare-worker-processes=0"))
                        .toList());
    }

    /** Makes each process write its class archive, named as the process, to a directory when it ends. */
    SuiteSettings recordArchives(Path directory) {
        recordArchives = directory;
        return this;
    }

    /** Uses free ports for every service and Redis. */
    public SuiteSettings freePorts() {
        for (Service service : Service.values()) {
            ports.put(service, Ports.free());
        }
        redisPort = 0;
        kvPort = Ports.free();
        kvTlsPort = Ports.free();
        return this;
    }

    /** Sets the port of the binary protocol for Couchbase SDKs; the default is 11210. */
    public SuiteSettings kvPort(int port) {
        kvPort = port;
        return this;
    }

    /** Sets the port of the binary protocol with TLS; the default is 11207. */
    public SuiteSettings kvTlsPort(int port) {
        kvTlsPort = port;
        return this;
    }

    /**
     * Makes clients use TLS, with a certificate that is made in the data directory at the first start. The services behind
     * the gateway, except subdoc-service, meet on loopback without it.
     */
    public SuiteSettings tls() {
        tls = true;
        return this;
    }

    /** Adds a number to every port that is set, so that another suite can run next to one with the same settings. */
    public SuiteSettings portOffset(int offset) {
        ports.replaceAll((service, port) -> port + offset);
        kvPort += offset;
        kvTlsPort += offset;
        portOffset += offset;
        redisPort = redisPort == 0 ? 0 : redisPort + offset;
        return this;
    }

    /**
     * Checks that a suite with these settings could listen on its ports.
     *
     * @throws LauncherException if some are in use; the message has a line for each way out
     */
    public void checkPorts() {
        checkPorts(Duration.ZERO);
    }

    /** Checks the same, and waits so long for ports that are in use. */
    void checkPorts(Duration patience) {
        PortCheck.of(this, patience);
    }

    /**
     * Lets requests without credentials in, with the rights of an administrator.
     *
     * @throws LauncherException if the services listen on another address than loopback
     */
    public SuiteSettings open() {
        if (!isLoopback(bind)) {
            throw new LauncherException(
                    "An open Millrace makes everyone who reaches its ports an administrator, so it is"
                            + " allowed on loopback only, not on " + bind
                            + ". Unset MILLRACE_BIND, or let clients log in.");
        }
        open = true;
        return this;
    }

    private static boolean isLoopback(String address) {
        try {
            return InetAddress.getByName(address).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** Sets the address that the services listen on. */
    public SuiteSettings bind(String address) {
        bind = address;
        return this;
    }

    /** Uses the Redis at this URL instead of starting one. */
    public SuiteSettings redisUrl(String url) {
        redisUrl = url;
        return this;
    }

    /** Sets the port of the Redis that is started; 0, the default, means a free one. */
    public SuiteSettings redisPort(int port) {
        redisPort = port;
        return this;
    }

    /** Sets options of the Redis that is started, as in its configuration file. */
    public SuiteSettings redisSettings(Map<String, String> settings) {
        redisSettings = Map.copyOf(settings);
        return this;
    }

    /** Sets the directory of the append-only file of Redis. */
    public SuiteSettings data(Path directory) {
        data = directory;
        return this;
    }

    /** Sets the directory of the log files. */
    public SuiteSettings logs(Path directory) {
        logs = directory;
        return this;
    }

    /** Sets an environment variable of every service. */
    public SuiteSettings environment(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /** Returns the value that services see of an environment variable, or null. */
    @Nullable
    String variable(String name) {
        return environment.containsKey(name) ? environment.get(name) : System.getenv(name);
    }

    /** Sets additional JVM options of every service. */
    public SuiteSettings jvmOptions(List<String> options) {
        jvmOptions = List.copyOf(options);
        return this;
    }

    /** Sets the receiver of progress messages for the user. */
    public SuiteSettings say(Consumer<String> listener) {
        say = listener;
        return this;
    }
}
