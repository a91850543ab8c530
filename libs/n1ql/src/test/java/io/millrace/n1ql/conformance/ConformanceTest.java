package io.millrace.n1ql.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.n1ql.conformance.CaseRunner.Check;
import io.millrace.n1ql.syntax.StatementParser;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.Json;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The language cases outside the repository: all that handlers need, and most others. */
class ConformanceTest {

    private static final Set<String> CASES_LEFT_OUT = Set.of(
            // the rows of a subquery in the order of the other engine's scan
            "gsi/recursive_withs/case_employee_hierarchy#2",
            // its keyspaces here exist whatever their name
            "gsi/recursive_withs/case_mix_recursive_nonrecursive#1");

    /** Returns the folder of the cases, which is next to the repository or named by the environment. */
    static Path cases() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path candidate = at.resolve("shared").resolve("conformance").resolve("n1ql");
            if (Files.isDirectory(candidate)) {
                return candidate;
            }
        }
        return Path.of("no cases here");
    }

    static List<Check> runAll(Path folder) throws IOException {
        CaseRunner runner = new CaseRunner(new Datasets(folder.resolve("datasets")));
        List<Path> files;
        try (Stream<Path> listed = Files.list(folder.resolve("open"))) {
            files = listed.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
        }
        List<Check> checks = new ArrayList<>();
        for (Path file : files) {
            for (Value given : (ArrayValue) Objects.requireNonNull(Json.parse(Files.readAllBytes(file)))) {
                checks.addAll(runner.run((ObjectValue) given));
            }
        }
        return checks;
    }

    @Test
    void openCases_allButThoseLeftOut() throws IOException {
        Path folder = cases();
        assumeTrue(Files.isDirectory(folder), "the cases are not next to the repository");

        List<Check> checks = runAll(folder);

        printTable(checks);
        assertThat(checks).hasSizeGreaterThan(1000);
        assertThat(checks)
                .filteredOn(check -> check.failure() != null && !isLeftOut(check))
                .isEmpty();
    }

    private static boolean isLeftOut(Check check) {
        return CASES_LEFT_OUT.contains(check.id());
    }

    private static void printTable(List<Check> checks) {
        Map<String, int[]> areas = new TreeMap<>();
        int[] all = new int[4];
        for (Check check : checks) {
            int[] area = areas.computeIfAbsent(check.area(), name -> new int[4]);
            int column = check.first() ? 0 : 2;
            area[column]++;
            all[column]++;
            if (check.failure() == null) {
                area[column + 1]++;
                all[column + 1]++;
            }
        }
        StringBuilder table = new StringBuilder("area                 phase 1        phase 2\n");
        areas.put("~ all", all);
        areas.forEach((name, area) -> table.append(
                String.format("%-18s %4d of %4d   %4d of %4d%n", name, area[1], area[0], area[3], area[2])));
        System.out.println(table);
    }

    @Test
    void eventingStatements_areAccepted() throws IOException {
        Path file = cases().resolve("eventing_statements.json");
        assumeTrue(Files.exists(file), "the cases are not next to the repository");

        ArrayValue statements = (ArrayValue) Objects.requireNonNull(Json.parse(Files.readAllBytes(file)));

        assertThat(statements.size()).isGreaterThanOrEqualTo(35);
        for (Value statement : statements) {
            String text = ((StringValue) statement).text();
            assertThatCode(() -> StatementParser.parse(text)).as(text).doesNotThrowAnyException();
        }
    }
}
