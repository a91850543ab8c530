package io.millrace.acceptance;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which user passes which door: the recorded file. */
final class AccessMatrix {

    static final String UPDATE = "millrace.matrix.update";
    static final Path FILE = Repository.ROOT.resolve("dev/acceptance/src/test/resources/access-matrix.txt");

    static final char PASSED = '+';
    static final char FORBIDDEN = '-';
    static final char UNKNOWN = '.';

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
            "streams_reader");

    private AccessMatrix() {}

    /** Returns a line of outcomes for each request, in the order of the file. */
    static Map<String, String> recorded() {
        Map<String, String> rows = new LinkedHashMap<>();
        Repository.read(FILE).lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            int blank = line.indexOf(' ');
            rows.put(line.substring(blank + 1), line.substring(0, blank));
        });
        return rows;
    }

    /** Returns the contents of the file. */
    static String text(Map<String, String> rows) {
        StringBuilder text = new StringBuilder("""
                # Who passes which door, as a running suite answers. A column for each user:
                """);
        for (int i = 0; i < USERS.size(); i++) {
            text.append("#   %2d %s%n".formatted(i + 1, USERS.get(i).isEmpty() ? "not logged in" : USERS.get(i)));
        }
        text.append("# %s passed the door, %s forbidden or not shown (403, 404 of the gate), %s not logged in (401)%n"
                .formatted(PASSED, FORBIDDEN, UNKNOWN));
        rows.forEach((request, outcomes) ->
                text.append(outcomes).append(' ').append(request).append('\n'));
        return text.toString();
    }
}
