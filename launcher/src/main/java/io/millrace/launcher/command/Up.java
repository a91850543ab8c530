package io.millrace.launcher.command;

import io.millrace.launcher.LauncherException;
import io.millrace.launcher.suite.Service;
import io.millrace.launcher.suite.Suite;
import io.millrace.launcher.suite.SuiteSettings;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** {@code millrace up}: runs the suite until this JVM is terminated. */
final class Up {

    private final Map<String, String> environment;
    private final PrintStream out;

    Up(Map<String, String> environment, PrintStream out) {
        this.environment = environment;
        this.out = out;
    }

    /** Runs until this JVM is terminated; its shutdown hook stops the suite in order. */
    void run(Path root, Path home) throws InterruptedException {
        long started = System.nanoTime();
        out.println("Millrace on Java " + Runtime.version() + ", " + engine(Runtime.version()));
        SuiteSettings settings = settings(SuiteSettings.of(root, home), root);
        FirstPassword password = firstPassword(settings);
        Suite suite = Suite.start(settings);
        out.printf("%nready after %.1f s%n", (System.nanoTime() - started) / 1e9);
        welcome(suite);
        password.onFound(out::println);
        new CountDownLatch(1).await();
    }

    private static FirstPassword firstPassword(SuiteSettings settings) {
        try {
            return new FirstPassword(settings.logFile(Service.SUBDOC));
        } catch (IOException e) {
            throw new LauncherException("Cannot read " + settings.logFile(Service.SUBDOC), e);
        }
    }

    /** Applies the environment variables. */
    SuiteSettings settings(SuiteSettings settings, Path root) {
        String data = given("MILLRACE_DATA");
        String logs = given("MILLRACE_LOG_DIR");
        settings.data(root.resolve(data == null ? "data" : data))
                .logs(root.resolve(logs == null ? "logs" : logs))
                .say(out::println);
        for (Service service : Service.values()) {
            String port = given(service.portVariable());
            if (port != null) {
                settings.port(service, port(service.portVariable(), port));
            }
        }
        String kvPort = given(Suite.KV_PORT_VARIABLE);
        if (kvPort != null) {
            settings.kvPort(port(Suite.KV_PORT_VARIABLE, kvPort));
        }
        String redisUrl = given("REDIS_URL");
        if (redisUrl != null) {
            settings.redisUrl(redisUrl);
        }
        String redisPort = given("MILLRACE_REDIS_PORT");
        if (redisPort != null) {
            settings.redisPort(port("MILLRACE_REDIS_PORT", redisPort));
        }
        String bind = given("MILLRACE_BIND");
        if (bind != null) {
            settings.bind(bind);
        }
        String options = given("MILLRACE_JAVA_OPTS");
        if (options != null) {
            settings.jvmOptions(List.of(options.split("\\s+")));
        }
        return settings;
    }

    private void welcome(Suite suite) {
        out.println("  gateway (start here)  " + suite.url(Service.GATEWAY));
        out.println("  documents             " + suite.url(Service.SUBDOC));
        out.println("  Couchbase SDKs        " + suite.sdkUrl());
        out.println("  functions             " + suite.url(Service.EVENTING));
        out.println("  configuration         " + suite.url(Service.METAKV));
        out.println("  Redis                 " + suite.redisUrl());
        out.println();
        out.println("Try, in another terminal:");
        out.println("  ./millrace demo");
        out.println("  curl " + suite.url(Service.GATEWAY) + "/api/v1/buckets");
        out.println("Ctrl-C stops everything; the data is kept.");
    }

    /** Whether handlers run compiled: this needs the JVM compiler interface of JDK 25.0.3 or newer. */
    private static String engine(Runtime.Version version) {
        boolean newEnough = version.compareToIgnoreOptional(Runtime.Version.parse("25.0.3")) >= 0;
        boolean compilerInterface =
                ModuleLayer.boot().findModule("jdk.internal.vm.ci").isPresent()
                        || java.lang.module.ModuleFinder.ofSystem()
                                .find("jdk.internal.vm.ci")
                                .isPresent();
        return newEnough && compilerInterface
                ? "handlers run optimized"
                : "handlers run interpreted (JDK 25.0.3 or newer runs them optimized)";
    }

    private @Nullable String given(String variable) {
        String value = environment.get(variable);
        return value == null || value.isBlank() ? null : value.strip();
    }

    private static int port(String variable, String text) {
        try {
            int port = Integer.parseInt(text);
            if (port >= 0 && port <= 65_535) {
                return port;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new LauncherException(variable + " is not a valid port: " + text + "; use a number from 0 to 65535");
    }
}
