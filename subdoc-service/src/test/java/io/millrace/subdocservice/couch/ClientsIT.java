package io.millrace.subdocservice.couch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.redis.RedisKit;
import io.millrace.testkit.NodePackages;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** PouchDB and nano against the service, in the versions of a lock file, where Node and npm are installed. */
class ClientsIT {

    private static final Logger log = LoggerFactory.getLogger(ClientsIT.class);
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
        Optional<Path> clients = NodePackages.install(
                Path.of("src/test/clients"), Path.of("target/clients"), "PouchDB and nano against the service");
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
}
