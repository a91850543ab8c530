package io.millrace.acceptance;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/** Every error code that a client can meet, from the tables in the code. */
final class ErrorCodesPage {

    /** Statuses are named next to codes in three ways: as a literal, as an arm of a switch, as a constant's argument. */
    /** Constants where a code stands: a default, and the name of the whole form in {@code ManagementAnswers}. */
    private static final Set<String> NOT_CODES = Set.of("INTERNAL_SERVER_ERROR", "WHOLE");

    private static final Pattern LITERAL = Pattern.compile("HttpStatus\\.(\\w+),\\s*\"([a-z][a-z_]+)\"");

    private static final Pattern NAMED = Pattern.compile("HttpStatus\\.(\\w+),\\s*(?:\\w+\\.)*([A-Z][A-Z_]+)[,)]");
    private static final Pattern ARM =
            Pattern.compile("case ((?:[A-Z][A-Z0-9_]*(?:,\\s*)?)+)\\s*->\\s*HttpStatus\\.(\\w+)");
    private static final Pattern CONSTANT =
            Pattern.compile("(?m)^\\s+([A-Z][A-Z0-9_]*)\\(\\s*HttpStatus\\.(\\w+)(?:,\\s*\"((?:[^\"\\\\]|\\\\.)*)\")?");

    private static final List<String> SERVICES =
            List.of("subdoc-service", "metakv-service", "eventing-service", "ui-gateway");

    private ErrorCodesPage() {}

    static String markdown() {
        try (BuiltClasses classes = new BuiltClasses()) {
            return """
                    # Error codes

                    This page is made from the code.

                    ## Millrace's own APIs

                    Errors are problem details (RFC 9457): `code` is a name to act on, `detail` says what is wrong, `action`
                    what to do; the table has the actions that belong to a code.

                    | code | HTTP status | what to do | service |
                    |---|---|---|---|
                    %s
                    ## Functions API

                    Names and numbers are Couchbase's. The number is in the body and in the header `status`; `retry` says that
                    the same request may succeed later.

                    | name | number | HTTP status | meaning | retry |
                    |---|---|---|---|---|
                    %s
                    ## Queries

                    The numbers of Couchbase's query service. The HTTP status is that of an error before the first row.

                    | name | number | HTTP status | meaning |
                    |---|---|---|---|
                    %s
                    ## Binary protocol

                    Statuses of responses, with the attributes of the error map, from which SDKs learn what to do.

                    | status | number | meaning | attributes |
                    |---|---|---|---|
                    %s""".formatted(own(), functions(classes), queries(classes), binary(classes));
        } catch (IOException | ReflectiveOperationException e) {
            throw new AssertionError("Cannot read the tables of error codes", e);
        }
    }

    private static String own() {
        TreeMap<String, Set<String>> services = new TreeMap<>();
        for (String service : SERVICES) {
            for (Path source : Repository.files(".java")) {
                if (source.startsWith(Repository.module(service).resolve("src/main"))) {
                    for (String row : codes(Repository.read(source))) {
                        services.computeIfAbsent(row, key -> new TreeSet<>()).add(service);
                    }
                }
            }
        }
        StringBuilder rows = new StringBuilder();
        services.forEach((row, names) ->
                rows.append(row).append(String.join(", ", names)).append(" |\n"));
        return rows.toString();
    }

    private static List<String> codes(String source) {
        List<String> rows = new ArrayList<>();
        Matcher literal = LITERAL.matcher(source);
        while (literal.find()) {
            rows.add(row(literal.group(2), literal.group(1), null));
        }
        Matcher named = NAMED.matcher(source);
        while (named.find()) {
            if (!NOT_CODES.contains(named.group(2))) {
                rows.add(row(named.group(2), named.group(1), null));
            }
        }
        Matcher arm = ARM.matcher(source);
        while (arm.find()) {
            for (String name : arm.group(1).split(",\\s*")) {
                rows.add(row(name.strip(), arm.group(2), null));
            }
        }
        Matcher constant = CONSTANT.matcher(source);
        while (constant.find()) {
            rows.add(row(constant.group(1), constant.group(2), constant.group(3)));
        }
        return rows;
    }

    /** @param action what the code always advises; null when the response decides */
    private static String row(String code, String status, @Nullable String action) {
        return "| `%s` | %d | %s | "
                .formatted(
                        code.toLowerCase(Locale.ROOT),
                        HttpStatus.valueOf(status).value(),
                        action == null ? "" : MarkdownTable.cell(action));
    }

    private static String functions(BuiltClasses classes) throws ReflectiveOperationException {
        StringBuilder rows = new StringBuilder();
        for (Object code : classes.load("eventing-service", "ErrorCode").getEnumConstants()) {
            List<?> attributes = (List<?>) BuiltClasses.call(code, "attributes");
            rows.append("| `%s` | %s | %s | %s | %s |\n"
                    .formatted(
                            code,
                            BuiltClasses.call(code, "number"),
                            BuiltClasses.call(code, "httpStatus"),
                            MarkdownTable.cell(String.valueOf(BuiltClasses.call(code, "meaning"))),
                            attributes.contains("retry") ? "retry" : ""));
        }
        return rows.toString();
    }

    private static String queries(BuiltClasses classes) throws ReflectiveOperationException {
        StringBuilder rows = new StringBuilder();
        for (Object code : classes.load("n1ql", "ErrorCode").getEnumConstants()) {
            rows.append("| `%s` | %s | %s | %s |\n"
                    .formatted(
                            code,
                            BuiltClasses.call(code, "code"),
                            BuiltClasses.call(code, "httpStatus"),
                            MarkdownTable.cell(String.valueOf(BuiltClasses.call(code, "meaning")))));
        }
        return rows.toString();
    }

    private static String binary(BuiltClasses classes) throws ReflectiveOperationException {
        StringBuilder rows = new StringBuilder();
        for (Object status : classes.load("memcached", "Status").getEnumConstants()) {
            rows.append("| `%s` | 0x%02x | %s | %s |\n"
                    .formatted(
                            status,
                            (Integer) BuiltClasses.call(status, "code"),
                            MarkdownTable.cell(String.valueOf(BuiltClasses.call(status, "description"))),
                            String.join(
                                    ", ",
                                    ((List<?>) BuiltClasses.call(status, "attributes"))
                                            .stream().map(String::valueOf).toList())));
        }
        return rows.toString();
    }
}
