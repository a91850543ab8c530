package io.millrace.launcher.command;

import io.millrace.launcher.NumberBetween;
import io.millrace.launcher.suite.AdministratorLogin;
import io.millrace.launcher.suite.Service;
import io.millrace.launcher.suite.Suite;
import io.millrace.launcher.suite.SuiteSettings;
import io.millrace.launcher.suite.SuiteState;
import java.lang.module.ModuleFinder;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

@Command(
        name = "up",
        description = {
            "runs Millrace until Ctrl-C, building it first if needed",
            "The documents stay in the data directory, which belongs to one suite at a time."
        })
final class UpCommand implements Callable<Integer> {

    /** The highest default port is that of Couchbase SDKs. */
    private static final class Offset extends NumberBetween {
        Offset() {
            super(0, 65_535 - SuiteSettings.DEFAULT_KV_PORT);
        }
    }

    private final Workspace workspace;
    private final Output output;

    @Option(
            names = {"-d", "--detach"},
            description = "runs in the background; './millrace stop' stops it")
    private boolean detached;

    /** The process behind {@code -d}: the one in front shows where everything is. */
    @Option(names = Background.CHILD_OPTION, hidden = true)
    private boolean child;

    @Option(
            names = "--port-offset",
            paramLabel = "N",
            converter = Offset.class,
            description = "adds N to every port, to run next to another suite; needs a data directory of its own"
                    + " (MILLRACE_DATA)")
    private int portOffset;

    @Option(names = "--open", description = "lets requests without a login in, with all rights; on loopback only")
    private boolean open;

    @Option(
            names = "--tls",
            description =
                    "serves HTTPS, and Couchbase SDKs with TLS, by a certificate that is made in the data directory")
    private boolean tls;

    @Option(names = "--json", description = "prints where Millrace is as one line of JSON when it is ready")
    private boolean json;

    UpCommand(Workspace workspace, Output output) {
        this.workspace = workspace;
        this.output = output;
    }

    @Override
    public Integer call() throws InterruptedException {
        long started = System.nanoTime();
        SuiteSettings settings = settings(workspace, output).portOffset(portOffset);
        boolean isOpen = open || "yes".equals(workspace.given(SuiteSettings.OPEN_VARIABLE));
        if (isOpen) {
            settings.open();
        }
        if (tls) {
            settings.tls();
        }
        output.say("Millrace " + Version.text() + " on Java " + Runtime.version() + ", " + engine(Runtime.version()));
        if (detached) {
            if (settings.needsPreparation()) {
                output.say("The first start after a build takes longer, because it prepares quick starts.");
            }
            SuiteState state = new Background(workspace, output).start(portOffset, isOpen, tls);
            screen(state, isOpen, started).print("./millrace stop stops everything; the data is kept.", json);
            return ExitCode.OK;
        }
        Suite.start(settings.quickStarts());
        if (!child) {
            SuiteState state = SuiteState.find(workspace.data()).orElseThrow();
            screen(state, isOpen, started).print("Ctrl-C stops everything; the data is kept.", json);
        }
        return sleep();
    }

    /** Waits for the end of this JVM, whose shutdown hook stops the suite in order. */
    private static int sleep() throws InterruptedException {
        new CountDownLatch(1).await();
        return ExitCode.OK;
    }

    private ReadyScreen screen(SuiteState state, boolean isOpen, long started) {
        return new ReadyScreen(
                output,
                state,
                workspace.data(),
                isOpen ? null : AdministratorLogin.file(workspace.data()),
                (System.nanoTime() - started) / 1e9);
    }

    /** Returns the settings that the environment variables make. */
    static SuiteSettings settings(Workspace workspace, Output output) {
        SuiteSettings settings = SuiteSettings.of(workspace.root(), workspace.home())
                .oneProcess()
                .data(workspace.data())
                .logs(workspace.logs())
                .say(output::say);
        for (Service service : Service.values()) {
            Integer port = workspace.port(service.portVariable());
            if (port != null) {
                settings.port(service, port);
            }
        }
        Integer kvPort = workspace.port(SuiteSettings.KV_PORT_VARIABLE);
        if (kvPort != null) {
            settings.kvPort(kvPort);
        }
        Integer kvTlsPort = workspace.port(SuiteSettings.KV_TLS_PORT_VARIABLE);
        if (kvTlsPort != null) {
            settings.kvTlsPort(kvTlsPort);
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

    /** Whether handlers run compiled: this needs the JVM compiler interface of JDK 25.0.3 or newer. */
    private static String engine(Runtime.Version version) {
        boolean newEnough = version.compareToIgnoreOptional(Runtime.Version.parse("25.0.3")) >= 0;
        boolean compilerInterface =
                ModuleLayer.boot().findModule("jdk.internal.vm.ci").isPresent()
                        || ModuleFinder.ofSystem().find("jdk.internal.vm.ci").isPresent();
        return newEnough && compilerInterface
                ? "handlers run optimized"
                : "handlers run interpreted (JDK 25.0.3 or newer runs them optimized)";
    }
}
