package io.millrace.subdocservice.couch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.redis.RedisKit;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Real CouchDB clients. npm installs the versions of the lock file into target. Without Node and npm, or without access to the
 * packages, the test logs the reason and tests nothing; {@code MILLRACE_NODE_TESTS=required} makes that a failure.
 */
class ClientsIT {

    private static final Logger log = LoggerFactory.getLogger(ClientsIT.class);
    private static final boolean REQUIRED = "required".equals(System.getenv("MILLRACE_NODE_TESTS"));
    private static final int INSTALL_SECONDS = 180;
    private static final int CLIENT_SECONDS = 240;

    private final DocumentStore store = RedisKit.shared().store(InstantSource.system());

    @Test
    void nano_works() throws Exception {
        run("nano.js", 200);
    }

    @Test
    void pouchDb_replicates() throws Exception {
        run("pouchdb.js", 100, 1_000);
    }

    @Test
    @Tag("long")
    void pouchDb_replicatesManyDocuments() throws Exception {
        run("pouchdb.js", 1_000, 10_000);
    }

    /** Runs a script; a line of its output can ask for a restart of the server. */
    private void run(String script, int... counts) throws Exception {
        Optional<Path> clients = installed();
        if (clients.isEmpty()) {
            return;
        }
        CouchKit couch = new CouchKit(store);
        ProcessBuilder builder = new ProcessBuilder("node", script, couch.url(), CouchKit.newName() + "-")
                .directory(clients.get().toFile())
                .redirectErrorStream(true);
        for (int count : counts) {
            builder.command().add(Integer.toString(count));
        }
        Process process = builder.start();
        StringBuilder said = new StringBuilder();
        var limit = process.onExit().orTimeout(CLIENT_SECONDS, TimeUnit.SECONDS).whenComplete((ended, late) -> {
            if (late != null) {
                process.destroyForcibly();
            }
        });
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                said.append(line).append('\n');
                if (line.equals("restart")) {
                    int port = couch.port();
                    couch.close();
                    couch = new CouchKit(store, port);
                    process.outputWriter().append("done\n").flush();
                }
            }
            limit.join();
        } finally {
            process.destroyForcibly();
            couch.close();
        }
        assertThat(process.exitValue()).as(said.toString()).isZero();
        assertThat(said.toString().strip()).endsWith("done");
        log.info("event=client_done script={} output=\"{}\"", script, said);
    }

    /** Installs the clients once; returns their directory, or nothing if that is impossible here. */
    private static Optional<Path> installed() throws IOException, InterruptedException {
        Path directory = Path.of("target/clients").toAbsolutePath();
        Files.createDirectories(directory);
        for (String file : List.of("package.json", "package-lock.json", "pouchdb.js", "nano.js")) {
            Files.write(directory.resolve(file), Files.readAllBytes(Path.of("src/test/clients", file)));
        }
        Path done = directory.resolve("node_modules/.package-lock.json");
        if (Files.exists(done)
                && Files.getLastModifiedTime(done)
                                .compareTo(Files.getLastModifiedTime(Path.of("src/test/clients/package-lock.json")))
                        > 0) {
            return answers(directory, "node", "--version") ? Optional.of(directory) : absent("Node is not here");
        }
        if (!answers(directory, "node", "--version") || !answers(directory, "npm", "--version")) {
            return absent("Node or npm is not here");
        }
        return answers(directory, "npm", "ci", "--no-audit", "--no-fund")
                ? Optional.of(directory)
                : absent("npm cannot install the packages");
    }

    private static Optional<Path> absent(String why) {
        if (REQUIRED) {
            throw new AssertionError(why + ", and MILLRACE_NODE_TESTS=required.");
        }
        log.warn("event=clients_not_tested reason=\"{}: PouchDB and nano are not run against the service\"", why);
        return Optional.empty();
    }

    private static boolean answers(Path directory, String... command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve(command[0] + ".log").toFile())
                    .start();
            boolean ended = process.waitFor(INSTALL_SECONDS, TimeUnit.SECONDS);
            process.destroyForcibly();
            return ended && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
