package io.millrace.launcher.command;

import io.millrace.launcher.gateway.GatewayClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;

@Command(
        name = "open",
        description = {"opens the console in the browser", "Where there is no browser, it prints the address."})
final class OpenCommand implements Callable<Integer> {

    private enum Page {
        CONSOLE("/"),
        DOCS("/docs"),
        NODES("/console/cluster"),
        API("/swagger-ui.html");

        private final String path;

        Page(String path) {
            this.path = path;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The programs that open an address: on macOS, on Windows behind WSL, and on desktops. */
    private static final List<String> OPENERS = List.of("wslview", "xdg-open");

    private final Workspace workspace;
    private final Output output;

    @Parameters(index = "0", arity = "0..1", paramLabel = "PAGE", description = "${COMPLETION-CANDIDATES}")
    private Page page = Page.CONSOLE;

    @Option(names = "--json", description = "prints the address as JSON and opens nothing")
    private boolean json;

    OpenCommand(Workspace workspace, Output output) {
        this.workspace = workspace;
        this.output = output;
    }

    @Override
    public Integer call() throws IOException {
        URI url = workspace.gateway().resolve(page.path);
        if (json) {
            output.data().println(JsonMapper.shared().createObjectNode().put(page.toString(), url.toString()));
            return ExitCode.OK;
        }
        try (GatewayClient gateway = workspace.connect()) {
            gateway.get(page.path); // fails where nothing would be shown
        }
        output.data().println(url);
        Optional<Path> opener = opener();
        if (opener.isPresent()) {
            new ProcessBuilder(opener.get().toString(), url.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        }
        return ExitCode.OK;
    }

    private Optional<Path> opener() {
        if (System.getProperty("os.name").startsWith("Mac")) {
            return Optional.of(Path.of("/usr/bin/open"));
        }
        boolean desktop = Stream.of("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME")
                .anyMatch(variable -> workspace.given(variable) != null);
        String path = workspace.given("PATH");
        return !desktop || path == null
                ? Optional.empty()
                : OPENERS.stream()
                        .flatMap(name -> Stream.of(path.split(":")).map(directory -> Path.of(directory, name)))
                        .filter(Files::isExecutable)
                        .findFirst();
    }
}
