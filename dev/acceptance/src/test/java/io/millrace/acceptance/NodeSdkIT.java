package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.NodePackages;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * An unmodified Couchbase SDK for Node. Its core, which those for Python, PHP and Ruby have too, ends the process where an answer
 * lacks a member that it expects, and waits without end where the server's capabilities are not those that it knows.
 */
class NodeSdkIT {

    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private final String prefix = "node-" + UUID.randomUUID().toString().substring(0, 8) + "-";

    @Test
    void bucketsScopesCollectionsAndFunctions_areManaged() throws Exception {
        runs("management.mjs");
    }

    @Test
    void documents_areWrittenReadInPartsAndScanned() throws Exception {
        createBucket("documents");

        runs("documents.mjs");
    }

    @Test
    void statements_preparedToo_areAnswered() throws Exception {
        createBucket("queries");

        runs("queries.mjs");
    }

    @Test
    void contendedTransactions_keepTheSum() throws Exception {
        createBucket("transactions");

        runs("transactions.mjs");
    }

    private void createBucket(String name) {
        try (Api api = new Api(RunningSuite.gateway())) {
            api.bucket(prefix + name);
        }
    }

    private void runs(String script) throws Exception {
        Optional<Path> sdk = NodePackages.install(
                Path.of("src/test/node-sdk"), Path.of("target/node-sdk"), "the Couchbase SDK for Node");
        if (sdk.isEmpty()) {
            return; // the log says why
        }
        Path output = sdk.get().resolve(script + ".log");
        Process process = new ProcessBuilder(List.of(
                        "node",
                        script,
                        RunningSuite.get().sdkUrl(),
                        BuiltSuite.LOGIN.user(),
                        BuiltSuite.ADMIN_PASSWORD,
                        prefix))
                .directory(sdk.get().toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        process.destroyForcibly();
        String said = Files.readString(output);

        assertThat(ended).as("%s has not ended. It said:%n%s", script, said).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        assertThat(said.strip()).endsWith("done");
    }
}
