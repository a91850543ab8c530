package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.n1ql.value.Value;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InsertTest {

    private final QueryTester tester = new QueryTester();

    @BeforeEach
    void fill() {
        tester.keyspace("t", "old", "{\"n\":1}");
        tester.keyspace("s", "s1", "{\"a\":1}", "s2", "{\"a\":2}", "s3", "{\"b\":3}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "INSERT INTO t (KEY, VALUE) VALUES ('k', {'a': 1})                    | {\"a\":1}",
                "INSERT INTO t VALUES ('k', {'a': 1})                                 | {\"a\":1}",
                "INSERT INTO t (PRIMARY KEY, VALUE) VALUES ('k', 'Hello world')       | \"Hello world\"",
                "INSERT INTO t VALUES ('k', 5)                                        | 5",
                "INSERT INTO t VALUES ('k', NULL)                                     | null",
                "INSERT INTO t VALUES ('k', [1, MISSING, 'x'])                        | [1,null,\"x\"]",
                "INSERT INTO t VALUES ('k', {'a': MISSING, 'b': TRUE})                | {\"b\":true}",
                "INSERT INTO t AS d VALUES ('k', {'a': 1 + 2}) RETURNING d.a          | {\"a\":3}",
                "INSERT INTO t (KEY, VALUE) VALUES (LOWER('K'), {'k': UPPER('v')})    | {\"k\":\"V\"}",
                "INSERT INTO t (KEY, VALUE, OPTIONS) VALUES ('k', 1, {'expiration':9}) | 1",
                "UPSERT INTO t (KEY, VALUE) VALUES ('k', 1), VALUES ('k', 2)          | 2",
                "INSERT INTO default:t VALUES ('k', {})                               | {}",
            })
    void insert_storesTheValue(String statement, String body) {
        tester.rows(statement);

        assertThat(tester.body("t", "k")).isEqualTo(body);
    }

    @Test
    void insertOfAnExistingKey_isAnErrorAndLeavesTheOthers() {
        QueryException failure = tester.failure("INSERT INTO t VALUES ('a', 1), ('old', 2), ('b', 3)");

        assertThat(failure.errorCode()).isEqualTo(ErrorCode.DML);
        assertThat(failure.reason()).contains("17012");
        assertThat(tester.body("t", "old")).isEqualTo("{\"n\":1}");
        assertThat(tester.body("t", "a")).isEqualTo("1");
        assertThat(tester.body("t", "b")).isEqualTo("3");
    }

    @Test
    void upsert_overwrites() {
        tester.rows("UPSERT INTO t VALUES ('old', {'new': true}), ('more', 2)");

        assertThat(tester.body("t", "old")).isEqualTo("{\"new\":true}");
        assertThat(tester.rows("SELECT RAW COUNT(*) FROM t")).containsExactly("2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "INSERT INTO t VALUES (5, 1)                       | BAD_KEY",
                "INSERT INTO t VALUES (NULL, 1)                    | BAD_KEY",
                "INSERT INTO t VALUES (MISSING, 1)                 | BAD_KEY",
                "INSERT INTO t VALUES ('', 1)                      | BAD_KEY",
                "UPSERT INTO t VALUES ({'a': 1}, 1)                | KEY_NOT_STRING",
                "INSERT INTO t VALUES ('k', MISSING)               | BAD_VALUE_TO_STORE",
                "INSERT INTO t VALUES ('k', 1, 'soon')             | BAD_OPTIONS",
                "INSERT INTO t VALUES ('k', 1, 5)                  | BAD_OPTIONS",
                "INSERT INTO nowhere VALUES ('k', 1)               | KEYSPACE_NOT_FOUND",
                "INSERT INTO t VALUES (k, 1)                       | AMBIGUOUS_REFERENCE",
                "INSERT INTO t VALUES ('k')                        | SYNTAX",
                "INSERT t VALUES ('k', 1)                          | SYNTAX",
                "INSERT INTO t VALUES ('k', NOSUCH(1))             | SYNTAX",
            })
    void wrongInsert_hasItsCodeAndChangesNothing(String statement, ErrorCode code) {
        assertThat(tester.failure(statement).errorCode()).isEqualTo(code);
        assertThat(tester.rows("SELECT RAW META().id FROM t")).containsExactly("\"old\"");
    }

    @Test
    void expiration_ofAMonthAtMost_countsFromNow() {
        long now = QueryTester.NOW.getEpochSecond();

        tester.rows("INSERT INTO t VALUES ('soon', 1, {'expiration': 60}), ('later', 1, {'expiration': 4000000000}),"
                + " ('never', 1, {'expiration': 0}), ('plain', 1)");

        assertThat(tester.rows("SELECT RAW META().expiration FROM t WHERE META().id != 'old'"))
                .containsExactly("4000000000", "0", "0", Long.toString(now + 60));
    }

    @Test
    void returning_seesWhatWasStored() {
        assertThat(tester.rows("INSERT INTO t AS d VALUES ('x', {'a': 1}), ('y', {'a': 2})"
                        + " RETURNING META(d).id, d.a, META(d).cas > 0 AS stored"))
                .containsExactly("{\"id\":\"x\",\"a\":1,\"stored\":true}", "{\"id\":\"y\",\"a\":2,\"stored\":true}");
        assertThat(tester.rows("UPSERT INTO t VALUES ('x', {'a': 9}) RETURNING *"))
                .containsExactly("{\"t\":{\"a\":9}}");
        assertThat(tester.rows("UPSERT INTO t VALUES ('x', {'a': 9}) RETURNING RAW a"))
                .containsExactly("9");
        assertThat(tester.rows("UPSERT INTO t VALUES ('x', {'a': 9}) RETURNING ELEMENT META().id"))
                .containsExactly("\"x\"");
        assertThat(tester.rows("UPSERT INTO t VALUES ('x', {'a': 9})")).isEmpty();
    }

    @Test
    void insertSelect_storesARowPerKey() {
        assertThat(tester.rows("INSERT INTO t (KEY k, VALUE v) SELECT META(s).id AS k, s AS v FROM s"
                        + " WHERE s.a IS NOT MISSING RETURNING RAW META().id"))
                .containsExactly("\"s1\"", "\"s2\"");
        assertThat(tester.body("t", "s2")).isEqualTo("{\"a\":2}");
    }

    @Test
    void insertSelect_withComputedKeyValueAndOptions() {
        tester.rows("INSERT INTO t (KEY 'n' || TO_STRING(a), VALUE {'twice': a * 2}, OPTIONS {'expiration': 100})"
                + " SELECT s.a FROM s WHERE s.a = 2");

        assertThat(tester.body("t", "n2")).isEqualTo("{\"twice\":4}");
        assertThat(tester.rows("SELECT RAW META().expiration > 0 FROM t USE KEYS 'n2'"))
                .containsExactly("true");
    }

    @Test
    void insertSelect_withoutValue_storesTheRow() {
        tester.rows("UPSERT INTO t (KEY UUID()) SELECT s.a FROM s WHERE s.a = 1");

        assertThat(tester.rows("SELECT RAW t FROM t WHERE a = 1")).containsExactly("{\"a\":1}");
    }

    @Test
    void insertFromItself_doesNotSeeWhatItInserts() {
        for (int i = 0; i < 500; i++) {
            tester.rows("UPSERT INTO t VALUES ($k, {})", QueryOptions.DEFAULT.withNamed("k", Value.of("k" + i)));
        }

        tester.rows("INSERT INTO t (KEY i || 'x', VALUE d) SELECT d, META(d).id AS i FROM t d");

        assertThat(tester.rows("SELECT RAW COUNT(*) FROM t")).containsExactly("1002");
    }

    @Test
    void keyspaceAsAParameter_andValuesAsParameters() {
        tester.rows(
                "INSERT INTO $1 AS d VALUES ($2, $3)",
                QueryOptions.DEFAULT.withPositional(
                        List.of(Value.of("t"), Value.of("k"), Value.of("it's \"quoted\""))));

        assertThat(tester.body("t", "k")).isEqualTo("\"it's \\\"quoted\\\"\"");
        assertThat(tester.failure(
                                "INSERT INTO :b VALUES ('x', 1)",
                                QueryOptions.DEFAULT.withNamed(Map.of("b", Value.of(5L))))
                        .errorCode())
                .isEqualTo(ErrorCode.KEYSPACE_NOT_FOUND);
    }

    @Test
    void mutations_areCounted() {
        try (Rows rows =
                tester.engine().execute("UPSERT INTO t VALUES ('a', 1), ('b', 2), ('old', 3)", QueryOptions.DEFAULT)) {
            assertThat(rows.mutations()).isEqualTo(3);
        }
    }
}
