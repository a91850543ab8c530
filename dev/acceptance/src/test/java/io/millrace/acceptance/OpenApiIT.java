package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.NodePackages;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The OpenAPI documents of the running suite: linters find no error in them, and a TypeScript client that is generated
 * from them compiles and works.
 */
class OpenApiIT {

    private static final int SECONDS = 180;

    /** Name of the document to its path at the gateway. */
    private static final Map<String, String> DOCUMENTS = Map.of(
            "functions", "/eventing/v3/api-docs",
            "documents", "/subdoc/v3/api-docs",
            "configuration", "/metakv/v3/api-docs",
            "gateway", "/v3/api-docs");

    @Test
    void documents_passTheLinters() throws Exception {
        Optional<Path> tools = toolsWithDocuments();
        if (tools.isEmpty()) {
            return;
        }
        run(tools.get(), files("node_modules/.bin/redocly", "lint"), "--config=redocly.yaml");
        run(
                tools.get(),
                files("node_modules/.bin/spectral", "lint"),
                "--ruleset=spectral.yaml",
                "--fail-severity=warn",
                "--fail-on-unmatched-globs");
    }

    /** Returns a command with the names of all documents: the start of a linter takes longer than its work. */
    private static List<String> files(String... command) {
        return Stream.concat(Stream.of(command), DOCUMENTS.keySet().stream().map(name -> name + ".json"))
                .toList();
    }

    @Test
    void generatedClient_compilesAndStoresDeploysAndQueries() throws Exception {
        Optional<Path> tools = toolsWithDocuments();
        if (tools.isEmpty()) {
            return;
        }
        for (String name : DOCUMENTS.keySet()) {
            run(
                    tools.get(),
                    List.of("node_modules/.bin/openapi-typescript", name + ".json"),
                    "--output=" + name + ".d.ts",
                    "--default-non-nullable=false"); // members with defaults are optional in requests
        }
        run(tools.get(), List.of("node_modules/.bin/tsc"), "--project", "tsconfig.json");

        String said = run(
                tools.get(),
                List.of("node", "built/program.js"),
                RunningSuite.gateway().toString(),
                BuiltSuite.LOGIN.authorization());

        assertThat(said.strip()).endsWith("done");
    }

    private static Optional<Path> toolsWithDocuments() throws IOException, InterruptedException {
        Optional<Path> tools = NodePackages.install(
                Path.of("src/test/openapi"), Path.of("target/openapi"), "OpenAPI documents and generated clients");
        if (tools.isPresent()) {
            try (Api api = new Api(RunningSuite.gateway())) {
                for (Map.Entry<String, String> document : DOCUMENTS.entrySet()) {
                    Files.writeString(
                            tools.get().resolve(document.getKey() + ".json"),
                            api.get(document.getValue()).succeeded().body());
                }
            }
        }
        return tools;
    }

    /** Runs a command, which has to succeed, and returns what it printed. */
    private static String run(Path directory, List<String> program, String... options)
            throws IOException, InterruptedException {
        List<String> command =
                Stream.concat(program.stream(), Stream.of(options)).toList();
        Path output = directory.resolve(Path.of(command.getFirst()).getFileName() + ".log");
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly();
        String said = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(ended && process.exitValue() == 0)
                .as("%s:%n%s", String.join(" ", command), said)
                .isTrue();
        return said;
    }
}
