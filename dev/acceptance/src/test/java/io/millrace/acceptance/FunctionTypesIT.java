package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.functionfiles.FunctionDirectory;
import io.millrace.functionfiles.Template;
import io.millrace.functionfiles.Templates;
import io.millrace.testkit.NodePackages;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The compiler of TypeScript finds what it should, and no more, with the types that functions get. */
class FunctionTypesIT {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int SECONDS = 180;
    private static final Path EXAMPLES = Path.of("../../examples");

    @TempDir
    Path home;

    @Test
    void templatesAndExamples_haveNoMistakes() throws Exception {
        List<Path> functions = new ArrayList<>();
        for (Template template : Templates.all()) {
            functions.add(function(template.name() + "-js", template.code(), template.definition()));
            functions.add(function(template.name() + "-ts", template.typescript(), typescript(template.definition())));
        }
        JsonNode example = JSON.readTree(Files.readString(EXAMPLES.resolve("orders/price_orders.json")));
        functions.add(function(
                "example",
                Files.readString(EXAMPLES.resolve("orders/price_orders.js")),
                example.isArray() ? example.path(0) : example));

        check(functions).ifPresent(said -> assertThat(said).isEqualTo("0 mistakes"));
    }

    @Test
    void libraries_haveTheTypesOfTheirCode() throws Exception {
        Template enrich = Templates.find("enrich").orElseThrow();
        String code =
                "import {twice} from 'math@1.0.0';\nfunction OnUpdate(doc) {\n  log(twice(doc.n).toFixed(2));\n  twice(1).length;\n}\n";
        List<Path> functions = List.of(
                function("importing-js", code, enrich.definition()),
                function("importing-ts", code.replace("(doc)", "(doc: any): void"), typescript(enrich.definition())));
        for (Path function : functions) {
            new FunctionDirectory(function)
                    .writeLibraries(
                            Map.of("math@1.0.0", "/** @param {number} n */\nexport const twice = n => 2 * n;\n"));
        }

        check(functions)
                .ifPresent(said -> assertThat(said)
                        .contains("importing-js", "importing-ts", "(4,12)", "'length' does not exist on type 'number'")
                        .doesNotContain("(1,", "(3,"));
    }

    @Test
    void mistakes_areFound() throws Exception {
        Template enrich = Templates.find("enrich").orElseThrow();
        Path function = function("mistaken", """
                function OnUpdate(order: any, meta: EventMeta): void {
                  totals[meta.ids] = order;
                  products[meta.id] = order;
                  const count: number = "one";
                  missing[meta.id] = count;
                  createTimer(remind, 5, meta.id, {});
                }
                enum Kind { A }
                """, typescript(enrich.definition()));

        // an index signature gives meta.ids a type, so that line is right
        check(List.of(function))
                .ifPresent(said -> assertThat(said)
                        .contains("(3,3)", "(4,9)", "(5,3)", "(6,15)", "(8,6)")
                        .doesNotContain("(2,"));
    }

    private Path function(String name, String code, JsonNode definition) {
        ObjectNode named = ((ObjectNode) definition).deepCopy().put("appname", name);
        FunctionDirectory directory = FunctionDirectory.create(home.resolve(name), code, named, JSON.createArrayNode());
        directory.writeEditorFiles();
        return directory.path();
    }

    private static JsonNode typescript(JsonNode definition) {
        ObjectNode typed = ((ObjectNode) definition).deepCopy();
        typed.withObject("/settings").put("language", "typescript");
        return typed;
    }

    /** Returns what the compiler says, the number of mistakes in the last line; nothing where it cannot be installed. */
    private static Optional<String> check(List<Path> functions) throws IOException, InterruptedException {
        Optional<Path> tools = NodePackages.install(
                Path.of("src/test/openapi"), Path.of("target/openapi"), "the types of templates and examples");
        if (tools.isEmpty()) {
            return Optional.empty();
        }
        Path output = tools.get().resolve("check-types.log");
        List<String> command = Stream.concat(
                        Stream.of("node", "check-types.mjs"), functions.stream().map(Path::toString))
                .toList();
        Process process = new ProcessBuilder(command)
                .directory(tools.get().toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS)).isTrue();
        return Optional.of(Files.readString(output, StandardCharsets.UTF_8).strip());
    }
}
