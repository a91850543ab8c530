package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which user passes which door: a recorded file.
 *
 * @param about what the rows are
 */
record AccessMatrix(String file, String about) {

    static final String UPDATE = "millrace.matrix.update";

    static final AccessMatrix ROUTES = new AccessMatrix("access-matrix.txt", "Who passes which door");
    static final AccessMatrix STATEMENTS = new AccessMatrix("statement-matrix.txt", "Who may run which statement");
    static final AccessMatrix OPCODES = new AccessMatrix("opcode-matrix.txt", "Who may send which opcode");

    static final char PASSED = '+';
    static final char FORBIDDEN = '-';
    static final char UNKNOWN = '.';

    /** The answer does not depend on the user: what was asked for is not offered. */
    static final char ABSENT = '/';

    /** The columns: the roles of one user each; the first one is not logged in. */
    static final List<String> USERS = List.of(
            "",
            "admin",
            "ro_admin",
            "cluster_admin",
            "security_admin",
            "external_stats_reader",
            "bucket_admin[matrix]",
            "bucket_full_access[matrix]",
            "data_reader[matrix]",
            "data_writer[matrix]",
            "query_select[matrix]",
            "eventing_admin",
            "eventing_manage_functions[matrix:_default]",
            "streams_reader",
            "topics_reader[absent]");

    Path path() {
        return Repository.ROOT.resolve("dev/acceptance/src/test/resources").resolve(file);
    }

    /** Returns a line of outcomes for each request, in the order of the file. */
    Map<String, String> recorded() {
        Map<String, String> rows = new LinkedHashMap<>();
        Repository.read(path()).lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            int blank = line.indexOf(' ');
            rows.put(line.substring(blank + 1), line.substring(0, blank));
        });
        return rows;
    }

    /** Records what a running suite has answered if the build is asked to, and compares it with what is recorded. */
    void compare(Map<String, String> answered) throws IOException {
        if (Boolean.getBoolean(UPDATE)) {
            Files.writeString(path(), text(answered));
        }
        assertThat(answered).isEqualTo(recorded());
    }

    private String text(Map<String, String> rows) {
        StringBuilder text = new StringBuilder("""
            # %s, as a running suite answers. A column for each user:
            """.formatted(about));
        for (int i = 0; i < USERS.size(); i++) {
            text.append("#   %2d %s%n".formatted(i + 1, USERS.get(i).isEmpty() ? "not logged in" : USERS.get(i)));
        }
        text.append("# %s passed, %s forbidden or not shown, %s not logged in, %s not offered to any user%n"
                .formatted(PASSED, FORBIDDEN, UNKNOWN, ABSENT));
        rows.forEach((request, outcomes) ->
                text.append(outcomes).append(' ').append(request).append('\n'));
        return text.toString();
    }
}
