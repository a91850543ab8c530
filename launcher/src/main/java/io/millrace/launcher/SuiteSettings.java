package io.millrace.launcher;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a suite runs with; made by {@link #of}, changed by the methods named after the parts. */
public final class SuiteSettings {
    private static final int DEFAULT_KV_PORT = 11_210;

    final Installation installation;
    private final Map<Service, Integer> ports = new EnumMap<>(Service.class);
    final Map<String, String> environment = new HashMap<>();
    List<String> jvmOptions = List.of();
    Map<String, String> redisSettings = Map.of();
    String bind = "127.0.0.1";
    int redisPort;
    int kvPort = DEFAULT_KV_PORT;

    @Nullable
    String redisUrl;

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
     * The programs that a build left below {@code root}, run from {@code home} (a directory of our own), on the
     * default ports.
     */
    public static SuiteSettings of(Path root, Path home) {
        return new SuiteSettings(new BuiltTree(root, home));
    }

    int portOf(Service service) {
        return Objects.requireNonNull(ports.get(service));
    }

    public SuiteSettings port(Service service, int port) {
        ports.put(service, port);
        return this;
    }

    /** Every service and Redis on ports that nobody uses. */
    public SuiteSettings freePorts() {
        for (Service service : Service.values()) {
            ports.put(service, Ports.free());
        }
        redisPort = 0;
        kvPort = Ports.free();
        return this;
    }

    /** The port of the binary protocol, for SDKs of Couchbase; 11210 unless it is said. */
    public SuiteSettings kvPort(int port) {
        kvPort = port;
        return this;
    }

    /** The address that the services listen on. */
    public SuiteSettings bind(String address) {
        bind = address;
        return this;
    }

    /** Uses this Redis and starts none. */
    public SuiteSettings redisUrl(String url) {
        redisUrl = url;
        return this;
    }

    /** The port of the Redis that is started; 0, the default, takes a free one. */
    public SuiteSettings redisPort(int port) {
        redisPort = port;
        return this;
    }

    /** Settings of the Redis that is started, as in its configuration file. */
    public SuiteSettings redisSettings(Map<String, String> settings) {
        redisSettings = Map.copyOf(settings);
        return this;
    }

    /** Where Redis keeps its append-only file. */
    public SuiteSettings data(Path directory) {
        data = directory;
        return this;
    }

    public SuiteSettings logs(Path directory) {
        logs = directory;
        return this;
    }

    /** An environment variable for every service. */
    public SuiteSettings environment(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /** JVM options for every service. */
    public SuiteSettings jvmOptions(List<String> options) {
        jvmOptions = List.copyOf(options);
        return this;
    }

    /** Is told what happens, in sentences for people. */
    public SuiteSettings say(Consumer<String> listener) {
        say = listener;
        return this;
    }
}
