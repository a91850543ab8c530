package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.n1ql.keyspace.KeyspaceName;
import io.millrace.n1ql.keyspace.StatementRights.Need;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatementOutlineTest {

    private static List<String> keyspaces(List<KeyspaceName> names) {
        return names.stream()
                .map(name -> name.toString().replace("default:", ""))
                .toList();
    }

    private static List<String> list(String text) {
        return text == null ? List.of() : Arrays.asList(text.split(" "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT 1 | | ",
                "SELECT RAW a FROM b.s.c a | b.s.c | ",
                "SELECT (SELECT RAW x FROM b x) AS s FROM a JOIN c ON c.k = META(a).id | a b c | ",
                "SELECT 1 FROM a WHERE EXISTS (SELECT 1 FROM b) UNION SELECT 2 FROM c | a b c | ",
                "WITH w AS (SELECT RAW x FROM a x) SELECT * FROM w | a | ",
                "SELECT * FROM $k | | ",
                "SELECT * FROM system:keyspaces | | ",
                "INSERT INTO a (KEY k, VALUE v) SELECT META(b).id AS k, b AS v FROM b | b | a",
                "UPSERT INTO a VALUES ('k', 1) | | a",
                "UPDATE a SET n = (SELECT RAW COUNT(*) FROM b)[0] | b | a",
                "DELETE FROM a WHERE n IN (SELECT RAW n FROM b) | b | a",
                "DELETE FROM a RETURNING a | a | a",
                "MERGE INTO a USING b ON a.k = b.k WHEN MATCHED THEN UPDATE SET a.n = 1 | b | a",
                "PREPARE p AS UPDATE a SET n = 1 | | a",
                "EXPLAIN DELETE FROM a | | a",
                "BEGIN WORK; UPDATE a SET n = 1; SELECT * FROM b; COMMIT | b | a",
                "EXECUTE p | | "
            })
    void keyspaces_areThoseThatTheTextNames(String statement, String reads, String changes) {
        StatementOutline outline = StatementOutline.of(statement);

        assertThat(keyspaces(outline.reads())).containsExactlyInAnyOrderElementsOf(list(reads));
        assertThat(keyspaces(outline.changes())).containsExactlyElementsOf(list(changes));
    }

    @Test
    void uses_areWhatItsRightsMustAllow() {
        assertThat(StatementOutline.of("UPSERT INTO a VALUES ('k', NEXTVAL FOR a.s.numbers)")
                        .uses())
                .containsExactlyInAnyOrder(
                        new StatementOutline.Use(Need.INSERT, KeyspaceName.of("a")),
                        new StatementOutline.Use(Need.UPDATE, KeyspaceName.of("a")),
                        new StatementOutline.Use(Need.USE_SEQUENCES, new KeyspaceName("a", "s", KeyspaceName.DEFAULT)));
        assertThat(StatementOutline.of("CREATE INDEX i ON a(n)").uses())
                .containsExactly(new StatementOutline.Use(Need.MANAGE_INDEX, KeyspaceName.of("a")));
    }
}
