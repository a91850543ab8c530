package io.millrace.launcher.command;

import io.millrace.launcher.LauncherException;
import io.millrace.launcher.suite.Service;
import io.millrace.launcher.suite.Suite;
import io.millrace.launcher.suite.SuiteSettings;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** {@code millrace up}: runs the suite until this JVM is terminated. */
final class Up {

    private final Workspace workspace;
    private final PrintStream out;

    Up(Workspace workspace, Output output) {
        this.workspace = workspace;
        this.out = output.data();
    }

    /** Runs until this JVM is terminated; its shutdown hook stops the suite in order. */
    void run() throws InterruptedException {
        long started = System.nanoTime();
        out.println("Millrace on Java " + Runtime.version() + ", " + engine(Runtime.version()));
        SuiteSettings settings = settings(SuiteSettings.of(workspace.root(), workspace.home()));
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
    private SuiteSettings settings(SuiteSettings settings) {
        settings.data(workspace.data()).logs(workspace.logs()).say(out::println);
        for (Service service : Service.values()) {
            Integer port = workspace.port(service.portVariable());
            if (port != null) {
                settings.port(service, port);
            }
        }
        Integer kvPort = workspace.port(Suite.KV_PORT_VARIABLE);
        if (kvPort != null) {
            settings.kvPort(kvPort);
        }
        String redisUrl = workspace.given("REDIS_URL");
        if (redisUrl != null) {
            settings.redisUrl(redisUrl);
        }
        Integer redisPort = workspace.port("MILLRACE_REDIS_PORT");
        if (redisPort != null) {
            settings.redisPort(redisPort);
        }
        String bind = workspace.given("MILLRACE_BIND");
        if (bind != null) {
            settings.bind(bind);
        }
        String options = workspace.given("MILLRACE_JAVA_OPTS");
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
}
