package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A function that the reference of the original has is known here, or refused with what to do instead. */
class DocumentedFunctionsTest {

    private static final int MOST_ARGUMENTS = 3;

    private final QueryTester tester = new QueryTester();

    private static List<String> documented() throws IOException {
        try (InputStream names = DocumentedFunctionsTest.class.getResourceAsStream("documented-functions.txt")) {
            return new String(Objects.requireNonNull(names).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .flatMap(line -> Stream.of(line.split(" ")))
                    .toList();
        }
    }

    /** What calls are answered with, with each number of arguments. */
    private Stream<String> answers(String name) {
        return Stream.iterate(0, count -> count <= MOST_ARGUMENTS, count -> count + 1)
                .map(count -> {
                    String arguments = String.join(", ", java.util.Collections.nCopies(count, "NULL"));
                    try {
                        tester.engine().prepare("SELECT RAW " + name + "(" + arguments + ")");
                        return "";
                    } catch (QueryException e) {
                        return String.valueOf(e.getMessage());
                    }
                });
    }

    @Test
    void documentedFunction_isKnownOrRefusedWithTheReason() throws IOException {
        Set<String> unknown = new TreeSet<>();
        Set<String> refused = new TreeSet<>();
        for (String name : documented()) {
            List<String> answers = answers(name).toList();
            if (answers.stream().anyMatch(answer -> answer.contains("Invalid function"))) {
                unknown.add(name);
            }
            if (answers.stream().anyMatch(answer -> answer.contains("is not a function of statements"))) {
                refused.add(name);
            }
        }

        assertThat(unknown).isEmpty();
        assertThat(refused)
                .containsExactly(
                        "APPROX_VECTOR_DISTANCE",
                        "CURL",
                        "DECODE_VECTOR",
                        "ENCODE_VECTOR",
                        "ISVECTOR",
                        "NORMALIZE_VECTOR",
                        "SEARCH",
                        "SEARCH_META",
                        "SEARCH_QUERY",
                        "SEARCH_SCORE",
                        "VECTOR_DISTANCE");
    }
}
