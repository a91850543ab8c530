package io.millrace.launcher;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The programs behind {@code ./millrace}. */
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
            try (Door door = new Door(gateway())) {
                return new Load(door, out).run(Path.of(arguments[1]), arguments[2]) ? 0 : 1;
            }
        } else if (command.equals("query") && arguments.length > 1) {
            try (Door door = new Door(gateway())) {
                return new QueryShell(door, out, System.err)
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

    /** On the suite that runs already, or on one that is started for it and ends with it. */
    private void demo() {
        try (Door door = new Door(gateway())) {
            if (door.isReady()) {
                out.println("Using the Millrace at " + door.url());
                new Demo(door, samples(), out).run();
                out.println("Look around:");
                Demo.thingsToTry(door.url()).forEach(out::println);
                return;
            }
        }
        Path scratch = scratch();
        out.println("No Millrace answers at " + gateway() + ": starting one for the demo, in " + scratch);
        SuiteSettings settings = SuiteSettings.of(root, home())
                .freePorts()
                .data(scratch.resolve("data"))
                .logs(scratch.resolve("logs"))
                .say(out::println);
        try (Suite suite = Suite.start(settings);
                Door door = new Door(suite.url(Service.GATEWAY))) {
            new Demo(door, samples(), out).run();
            out.println("This Millrace ends now. './millrace up' starts one that stays.");
        } finally {
            FileTree.delete(scratch);
        }
    }

    /** Where the programs are run from; tests have one of their own beside a suite that somebody runs. */
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
            throw new LauncherException("Cannot make a directory for the demo", e);
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
