package io.millrace.launcher.command;

import io.millrace.launcher.FileTree;
import io.millrace.launcher.LauncherException;
import io.millrace.launcher.suite.Service;
import io.millrace.launcher.suite.Suite;
import io.millrace.launcher.suite.SuiteSettings;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The entry point of {@code ./millrace}. */
public final class Main {

    private final Path root;
    private final Map<String, String> environment;
    private final PrintStream out;

    private Main(Path root, Map<String, String> environment, PrintStream out) {
        this.root = root;
        this.environment = environment;
        this.out = out;
    }

    /** Runs {@code up}, {@code demo}, {@code load FILE BUCKET} or {@code query STATEMENT} for the tree at the system property millrace.root. */
    public static void main(String... arguments) throws InterruptedException {
        Path root = Path.of(System.getProperty("millrace.root", "."))
                .toAbsolutePath()
                .normalize();
        try {
            System.exit(new Main(root, System.getenv(), System.out).run(arguments));
        } catch (LauncherException e) {
            System.err.println("millrace: " + e.getMessage());
            System.exit(1);
        }
    }

    private int run(String... arguments) throws InterruptedException {
        String command = arguments.length == 0 ? "" : arguments[0];
        if (command.equals("up") && arguments.length == 1) {
            new Up(environment, out).run(root, home());
        } else if (command.equals("demo") && arguments.length == 1) {
            demo();
        } else if (command.equals("load") && arguments.length == 3) {
            try (GatewayClient gateway = new GatewayClient(gateway())) {
                return new Load(gateway, out).run(Path.of(arguments[1]), arguments[2]) ? 0 : 1;
            }
        } else if (command.equals("query") && arguments.length > 1) {
            try (GatewayClient gateway = new GatewayClient(gateway())) {
                return new QueryShell(gateway, out, System.err)
                                .run(List.of(arguments).subList(1, arguments.length))
                        ? 0
                        : 1;
            }
        } else {
            System.err.println("usage: up | demo | load FILE BUCKET | query [--json] STATEMENT [NAME=VALUE ...]");
            return 2;
        }
        return 0;
    }

    /** Uses the running suite, or starts one and stops it afterwards. */
    private void demo() {
        try (GatewayClient gateway = new GatewayClient(gateway())) {
            if (gateway.isReady()) {
                out.println("Using the running Millrace at " + gateway.url());
                new Demo(gateway, samples(), out).run();
                out.println("Try:");
                Demo.thingsToTry(gateway.url()).forEach(out::println);
                return;
            }
        }
        Path scratch = scratch();
        out.println("Millrace does not run at " + gateway() + ": starting it for the demo, in " + scratch);
        SuiteSettings settings = SuiteSettings.of(root, home())
                .freePorts()
                .data(scratch.resolve("data"))
                .logs(scratch.resolve("logs"))
                .say(out::println);
        try (Suite suite = Suite.start(settings);
                GatewayClient gateway = new GatewayClient(suite.url(Service.GATEWAY))) {
            new Demo(gateway, samples(), out).run();
            out.println("Stopping Millrace. './millrace up' starts it until Ctrl-C.");
        } finally {
            FileTree.delete(scratch);
        }
    }

    /** The directory that the programs run from; a test sets another one, so that it does not disturb a running suite. */
    private Path home() {
        return root.resolve(System.getProperty("millrace.home", ".millrace/run"));
    }

    private Path samples() {
        return root.resolve("examples/orders");
    }

    private Path scratch() {
        try {
            Path parent = Files.createDirectories(root.resolve(".millrace"));
            return Files.createTempDirectory(parent, "demo-");
        } catch (IOException e) {
            throw new LauncherException("Cannot create a directory for the demo below .millrace", e);
        }
    }

    private URI gateway() {
        String url = environment.get("MILLRACE_URL");
        if (url != null && !url.isBlank()) {
            return URI.create(url.strip());
        }
        String port = environment.getOrDefault(Service.GATEWAY.portVariable(), "");
        return URI.create("http://127.0.0.1:" + (port.isBlank() ? Service.GATEWAY.defaultPort() : port.strip()));
    }
}
