package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.n1ql.keyspace.MemoryKeyspaces;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Functions that run statements, read the catalog or join the values of a group. */
class EngineFunctionsTest {

    private final QueryTester tester = new QueryTester();

    @BeforeEach
    void documents() {
        tester.keyspace(
                "t",
                "a",
                "{\"kind\": \"x\", \"name\": \"Berta\", \"n\": 10}",
                "b",
                "{\"kind\": \"x\", \"name\": \"Anna\", \"n\": 9}",
                "c",
                "{\"kind\": \"y\", \"name\": \"Anna\", \"n\": null}",
                "d",
                "{\"kind\": \"y\", \"name\": \"Anna\"}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "SELECT RAW LISTAGG(name) FROM t | \"Anna,Anna,Anna,Berta\"",
                "SELECT RAW LISTAGG(DISTINCT name, ' + ') FROM t | \"Anna + Berta\"",
                "SELECT RAW LISTAGG(n, '; ') FROM t | \"9; 10\"",
                "SELECT RAW LISTAGG(name) FILTER (WHERE kind = 'y') FROM t | \"Anna,Anna\"",
                "SELECT RAW LISTAGG(name) FROM t WHERE kind = 'none' | null",
                "SELECT RAW LISTAGG(n, kind) FROM t WHERE kind = 'x' GROUP BY kind | \"9x10\"",
                "SELECT RAW LISTAGG(name) OVER (PARTITION BY kind) FROM t WHERE n = 9 | \"Anna\"",
                "SELECT RAW EDIT_DISTANCE('kitten', 'sitting') | 3",
                "SELECT RAW EDIT_DISTANCE('', 'abc') | 3",
                "SELECT RAW EDIT_DISTANCE('\uD83D\uDE00a', 'a') | 1",
                "SELECT RAW EDIT_DISTANCE('a', 5) | null",
                "SELECT RAW FINDERR(3000)[0].symbol | \"syntax\"",
                "SELECT RAW FINDERR('^DUPLICATE_KEY')[0].code | 17012",
                "SELECT RAW FINDERR('no such words at all') | null",
                "SELECT RAW FINDERR(1) | null",
                "SELECT RAW EVALUATE('SELECT RAW name FROM t WHERE n = $n', {'n': 9}) | [\"Anna\"]",
                "SELECT RAW EVALUATE('SELECT RAW name FROM t WHERE n = ?', [10]) | [\"Berta\"]",
                "SELECT RAW EVALUATE('SELECT RAW EVALUATE(''SELECT RAW 5'')') | [[5]]",
                "SELECT RAW FORMALIZE('SELECT name FROM t WHERE n > 5') | \"SELECT `t`.name FROM default:`t` WHERE `t`.n > 5\"",
                "SELECT RAW FORMALIZE('SELECT x.name, x.a.n FROM t x ORDER BY kind', 'b.s')"
                        + " | \"SELECT x.name, x.a.n FROM default:`b`.`s`.`t` x ORDER BY `x`.kind\"",
                "SELECT RAW FORMALIZE('WITH c AS (SELECT n FROM t) SELECT c.n, d.m FROM c JOIN `u` AS d ON KEYS c.n', 'b.s')"
                        + " | \"WITH c AS (SELECT `t`.n FROM default:`b`.`s`.`t`)"
                        + " SELECT c.n, d.m FROM c JOIN default:`b`.`s`.`u` AS d ON KEYS c.n\"",
                "SELECT RAW FORMALIZE('UPDATE t SET n = m + 1 WHERE kind IN [1]', '`b`.`s`')"
                        + " | \"UPDATE default:`b`.`s`.`t` SET n = `t`.m + 1 WHERE `t`.kind IN [1]\"",
                "SELECT RAW FORMALIZE('SELECT name FROM system:keyspaces') | \"SELECT `keyspaces`.name FROM system:keyspaces\"",
                "SELECT RAW FORMALIZE(5) | null",
                "SELECT RAW RECURSIVE_CTE('SELECT RAW 1', 'SELECT RAW a + 1 FROM $anchor a WHERE a < $m', {'arguments': {'m': 3}}) | [1,2,3]",
                "SELECT RAW RECURSIVE_CTE('SELECT RAW 1', 'SELECT RAW 2', {'levels': 2}) | [1,2,2]",
                "SELECT RAW RECURSIVE_CTE('SELECT 1 AS r', 'SELECT 1 AS r', {'cycle': ['r']}) | [{\"r\":1}]",
                "SELECT RAW RECURSIVE_CTE(5, 'SELECT 1') | null",
                "SELECT RAW EVALUATE(5) | null",
                "SELECT RAW EVALUATE('SELECT 1', 5) | null",
            })
    void functions_returnWhatIsDocumented(String statement, String expected) {
        assertThat(tester.rows(statement)).containsExactly(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "SELECT EVALUATE('DELETE FROM t') | 10109 | must be a query",
                "SELECT EVALUATE('PREPARE p FROM SELECT 1') | 10109 | must be a query",
                "SELECT EVALUATE('SELEC 1') | 3000 | did you mean SELECT?",
                "SELECT EVALUATE($text) | 10109 | nested deeper than 32",
                "SELECT FORMALIZE('SELECT 1', 'b') | 5010 | is bucket.scope, not b",
                "SELECT FORMALIZE('SELECT 1 FORM t') | 3000 | did you mean FROM instead of FORM?",
                "SELECT RECURSIVE_CTE('SELECT 1', 'SELECT 1', {'logging': TRUE}) | 3303 | are levels, documents",
                "SELECT RECURSIVE_CTE('SELECT 1', 'DELETE FROM t') | 10109 | must be a query",
                "SELECT CURL('x') | 3100 | fetch with curl() in a function",
                "SELECT LISTAGG(name, ',', 5) FROM t | 3000 | must be between 1 and 2",
                "SELECT LISTAGG(*) FROM t | 3000 | * in listagg",
                "SELECT LISTAG(name) FROM t | 3000 | did you mean LISTAGG?",
                "SELECT FINDERR('(') | 5010 | not a regular expression",
                "SELECT EXTRACTDDL('%', {'flags': 'indices'}) | 5010 | flags are",
                "SELECT EDIT_DISTANCE(REPEAT('a', 20000), 'a') | 5035 | at most 10000 characters",
            })
    void wrongCalls_areRefused(String statement, int code, String why) {
        QueryOptions options = QueryOptions.DEFAULT.withNamed(
                "text", io.millrace.n1ql.value.Value.of("SELECT RAW EVALUATE($text, {'text': $text})"));

        QueryException failure = tester.failure(statement.replace("($text)", "($text, {'text': $text})"), options);

        assertThat(failure.code()).isEqualTo(code);
        assertThat(failure.getMessage()).contains(why);
        assertThat(tester.rows("SELECT RAW COUNT(*) FROM t")).containsExactly("4");
    }

    @Test
    void extractedDefinitions_makeTheSameStoreAgain() {
        for (String statement : List.of(
                "CREATE SCOPE t.eu",
                "CREATE COLLECTION t.eu.orders",
                "CREATE INDEX `by name` ON t(LOWER(name) DESC, n) WHERE kind = \"x\"",
                "CREATE INDEX tags ON t.eu.orders(DISTINCT ARRAY v.a FOR v IN tags WHEN v.b > 1 END)",
                "CREATE SEQUENCE t.eu.numbers START WITH 5 INCREMENT BY 2 MAXVALUE 99 CYCLE CACHE 3")) {
            tester.rows(statement);
        }
        List<String> statements = definitions(tester.engine(), "SELECT RAW d FROM EXTRACTDDL() AS d");
        QueryEngine other = new QueryEngine(new MemoryKeyspaces(), InstantSource.system());

        statements.forEach(statement -> definitions(other, statement));

        assertThat(statements).hasSize(7).first().isEqualTo("CREATE BUCKET `t`;");
        assertThat(definitions(other, "SELECT RAW d FROM EXTRACTDDL() AS d")).isEqualTo(statements);
        assertThat(tester.rows("SELECT RAW EXTRACTDDL('none%')")).containsExactly("[]");
        assertThat(tester.rows("SELECT RAW EXTRACTDDL('t', {'flags': ['bucket', 'scope']})"))
                .containsExactly("[\"CREATE BUCKET `t`;\",\"CREATE SCOPE `t`.`eu`;\"]");
        assertThat(tester.rows("SELECT RAW EXTRACTDDL(NULL, {'flags': 16})").getFirst())
                .startsWith("[\"CREATE SEQUENCE `t`.`eu`.`numbers` WITH {");
    }

    private static List<String> definitions(QueryEngine engine, String statement) {
        List<String> rows = new ArrayList<>();
        try (Rows cursor = engine.execute(statement, QueryOptions.DEFAULT)) {
            for (var row = cursor.next(); row != null; row = cursor.next()) {
                rows.add(((io.millrace.n1ql.value.StringValue) row).text());
            }
        }
        return rows;
    }
}
