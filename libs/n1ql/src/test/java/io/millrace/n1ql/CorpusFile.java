package io.millrace.n1ql;

import io.millrace.n1ql.value.Json;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A file of statements with the rows that they return. A case begins with {@code ==} and a title; each further line is a
 * statement, or begins with a mark that says what the statement above it returns:
 *
 * <pre>
 * $name = 5         a named parameter of the next statement
 * -> {"a": 1}       a row, in this place
 * ~> {"a": 1}       a row, in any place
 * -> contains "x"   a row whose text has x, and lacks "x" one whose text has not
 * -> *              any row
 * !! 3000           no rows but an error with this code
 * # text            a comment
 * </pre>
 *
 * <p>A statement without marks returns no rows. Each case has the documents of {@code data} for itself.
 */
record CorpusFile(List<Case> cases) {

    /** @param steps run one after the other against the same documents */
    record Case(String title, List<Step> steps) {}

    /** @param error the expected code, or 0 when the statement must not fail */
    record Step(String statement, Map<String, Value> parameters, List<Row> rows, int error) {

        boolean ordered() {
            return rows.stream().allMatch(Row::ordered);
        }
    }

    /** An expected row. */
    record Row(String text, boolean ordered) {

        private static final String CONTAINS = "contains ";
        private static final String LACKS = "lacks ";

        boolean matches(String json) {
            if (text.equals("*")) {
                return true;
            }
            if (text.startsWith(CONTAINS)) {
                return json.contains(text.substring(CONTAINS.length()));
            }
            if (text.startsWith(LACKS)) {
                return !json.contains(text.substring(LACKS.length()));
            }
            return value(text).equals(value(json));
        }
    }

    /** Reads a file; throws when a line has no place in it. */
    static CorpusFile parse(String text) {
        List<Case> cases = new ArrayList<>();
        Map<String, Value> parameters = new LinkedHashMap<>();
        for (String line : text.lines().toList()) {
            if (line.startsWith("== ")) {
                cases.add(new Case(line.substring(3), new ArrayList<>()));
            } else if (line.startsWith("$")) {
                int equals = line.indexOf(" = ");
                parameters.put(line.substring(1, equals), value(line.substring(equals + 3)));
            } else if (line.startsWith("-> ") || line.startsWith("~> ")) {
                step(cases).rows().add(new Row(line.substring(3), line.startsWith("->")));
            } else if (line.startsWith("!! ")) {
                List<Step> steps = cases.getLast().steps();
                Step failing = steps.removeLast();
                int code = Integer.parseInt(line.substring(3));
                steps.add(new Step(failing.statement(), failing.parameters(), failing.rows(), code));
            } else if (!line.isBlank() && !line.startsWith("#")) {
                cases.getLast().steps().add(new Step(line, Map.copyOf(parameters), new ArrayList<>(), 0));
                parameters.clear();
            }
        }
        return new CorpusFile(cases);
    }

    private static Step step(List<Case> cases) {
        return cases.getLast().steps().getLast();
    }

    static Value value(String json) {
        return Objects.requireNonNull(Json.parse(json), () -> "not JSON: " + json);
    }
}
