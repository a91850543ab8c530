package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Each row of the page about what is refused or has no effect has a test, which {@code without-effect-tests.txt} names. */
class WithoutEffectTest {

    private static final Path PAGE = MarkdownTable.DIRECTORY.resolve("without-effect.md");
    private static final Path TESTS =
            Repository.ROOT.resolve("dev/acceptance/src/test/resources/without-effect-tests.txt");
    private static final String HEADER = "API | request";
    private static final Pattern BAR = Pattern.compile(" *\\| *");

    /**
     * A row of the page, and the test that shows that it is true.
     *
     * @param row its first two cells
     */
    private record Shown(String row, String testClass, String method) {

        static Shown of(String line) {
            String[] cells = BAR.split(line);
            String[] test = cells[2].split("#");
            return new Shown(cells[0] + " | " + cells[1], test[0], test[1]);
        }
    }

    private static List<Shown> shown() {
        return Repository.read(TESTS).lines().map(Shown::of).toList();
    }

    @Test
    void rows_haveTests() {
        List<String> rows = Repository.read(PAGE)
                .lines()
                .filter(line -> line.startsWith("| "))
                .map(BAR::split)
                .map(cells -> cells[1] + " | " + cells[2])
                .filter(row -> !row.equals(HEADER))
                .toList();

        assertThat(shown().stream().map(Shown::row))
                .as("name the test of a new row in %s", Repository.name(TESTS))
                .containsExactlyElementsOf(rows);
    }

    @Test
    void tests_exist() {
        Map<String, String> sources = Repository.files(".java").stream()
                .filter(file -> file.toString().contains("/src/test/java/"))
                .collect(Collectors.toMap(
                        file -> file.getFileName().toString().replace(".java", ""),
                        Repository::read,
                        (one, other) -> one + other));

        assertThat(shown())
                .allSatisfy(row -> assertThat(sources.getOrDefault(row.testClass(), ""))
                        .as("%s#%s", row.testClass(), row.method())
                        .contains(" " + row.method() + "("));
    }
}
