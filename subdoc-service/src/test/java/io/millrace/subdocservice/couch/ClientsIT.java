package io.millrace.subdocservice.couch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.RedisKit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Real clients against us, when {@code MILLRACE_NODE_TESTS=required} asks for them: they need Node and its packages.
 */
class ClientsIT {

    private static final Logger log = LoggerFactory.getLogger(ClientsIT.class);
    private static final boolean REQUIRED = "required".equals(System.getenv("MILLRACE_NODE_TESTS"));

    private final DocumentStore store = RedisKit.shared().store(InstantSource.system());

    /** Installs the clients once; returns where they are, or nothing when that cannot be done here. */
    private static Optional<Path> clients() throws IOException, InterruptedException {
        if (!REQUIRED) {
            return Optional.empty();
        }
        Path installed = Path.of("target/clients").toAbsolutePath();
        Files.createDirectories(installed);
        for (String file : List.of("package.json", "package-lock.json", "pouchdb.js", "nano.js")) {
            Files.write(installed.resolve(file), Files.readAllBytes(Path.of("src/test/clients", file)));
        }
        if (Files.exists(installed.resolve("node_modules/.package-lock.json"))) {
            return Optional.of(installed);
        }
        Output output = run(installed, 300, "npm", "ci", "--no-audit", "--no-fund");
        if (output.status == 0) {
            return Optional.of(installed);
        }
        throw new AssertionError("The clients cannot be installed: " + output.text);
    }

    private record Output(int status, String text) {}

    private static Output run(Path directory, int seconds, String... command) throws InterruptedException {
        try {
            Path text = Files.createTempFile(directory, "output", ".txt");
            Process process = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(text.toFile())
                    .start();
            boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
            process.destroyForcibly();
            return new Output(ended ? process.exitValue() : -1, Files.readString(text));
        } catch (IOException e) {
            return new Output(-1, e.toString());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nano.js", "pouchdb.js"})
    void client_findsWhatItExpects(String script) throws Exception {
        Optional<Path> clients = clients();
        if (clients.isEmpty()) {
            return;
        }
        try (CouchKit couch = new CouchKit(store)) {
            List<String> command = new ArrayList<>(List.of("node", script, couch.url(), CouchKit.newName() + "-"));

            Output output = run(clients.get(), 240, command.toArray(String[]::new));

            assertThat(output.status).as(output.text).isZero();
            assertThat(output.text.strip()).endsWith("done");
            log.info("event=client_done script={} output=\"{}\"", script, output.text);
        }
    }
}
