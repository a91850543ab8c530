package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The CI workflows contain no logic of their own: what they run, a developer runs with the same command. */
class WorkflowsTest {

    private static final Path WORKFLOWS = Repository.ROOT.resolve(".github/workflows");

    private static final List<Path> FILES = Repository.files(".yml").stream()
            .filter(file -> file.startsWith(WORKFLOWS))
            .toList();

    @Test
    void steps_runOnlyTheScript() {
        assertThat(FILES).isNotEmpty().allSatisfy(file -> {
            List<String> commands = steps(file)
                    .filter(step -> step.keys().contains("run"))
                    .map(step -> step.at("run").text())
                    .toList();
            assertThat(commands).isNotEmpty().allMatch(command -> command.matches("\\./millrace [^\n;&|]+"));
        });
    }

    @Test
    void tests_runOnTheOldestAndTheNewestJdk() {
        YamlTree job = YamlTree.load(WORKFLOWS.resolve("test.yml")).get(0).at("jobs", "test");

        assertThat(job.at("strategy", "matrix", "jdk").texts()).containsExactly("21", "25");
        assertThat(steps(WORKFLOWS.resolve("test.yml"))
                        .map(step -> step.at("run").text()))
                .contains("./millrace test");
    }

    @Test
    void tokens_mayOnlyRead() {
        assertThat(FILES)
                .allSatisfy(file -> assertThat(
                                YamlTree.load(file).get(0).at("permissions").value())
                        .isEqualTo(Map.of("contents", "read")));
    }

    private static Stream<YamlTree> steps(Path file) {
        return YamlTree.load(file).get(0).at("jobs").fields().values().stream()
                .flatMap(job -> job.at("steps").items().stream());
    }
}
