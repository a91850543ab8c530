package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is read and not done is refused, or the statement warns of it. */
class WithoutEffectTest {

    private final QueryTester tester = new QueryTester();

    @BeforeEach
    void keyspaces() {
        tester.keyspace("t", "a", "{\"n\": 1, \"name\": \"x\"}");
        tester.keyspace("s", "b", "{\"n\": 2, \"name\": \"y\"}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "MERGE INTO t USING s ON t.n = s.n | MERGE has no action",
                "MERGE INTO t USING s ON t.n = s.n WHEN MATCHED THEN UPDATE | neither SET nor UNSET",
                "MERGE INTO t USING s ON t.n = s.n WHEN MATCHED THEN DELETE OFFSET 5 | MERGE has no OFFSET",
                "MERGE INTO t USING s ON t.n = s.n WHEN MATCHED THEN UPDATE SET n = 1 WHEN MATCHED THEN UPDATE SET n = 2"
                        + " | THEN UPDATE twice",
                "MERGE INTO t USING s ON t.n = s.n WHEN MATCHED THEN DELETE WHEN MATCHED THEN DELETE WHERE t.n = 1"
                        + " | THEN DELETE twice",
                "CREATE PRIMARY INDEX ON t USING VIEW | no indexes of the kind VIEW",
                "CREATE INDEX i ON t(n) USING FTS | no indexes of the kind FTS",
                "DROP INDEX i ON t USING VIEW | no indexes of the kind VIEW",
                "DROP INDEX t.i USING VIEW | no indexes of the kind VIEW",
                "DROP PRIMARY INDEX ON t USING FTS | no indexes of the kind FTS",
                "BUILD INDEX ON t(i) USING FTS | no indexes of the kind FTS",
                "SELECT 1 FROM t USE INDEX (USING FTS) WHERE n = 1 | no indexes of the kind FTS",
                "CREATE INDEX i ON t(n ASC DESC) | either ASC or DESC",
                "CREATE INDEX i ON t(n) WITH 5 | options of an index are an object",
                "CREATE OR REPLACE FUNCTION IF NOT EXISTS f() { 1 } | contradict each other",
                "SELECT 1 FROM t USE KEYS 'a' USE KEYS 'b' | USE KEYS once only",
                "SELECT 1 FROM s JOIN t USE NL USE HASH(BUILD) ON s.n = t.n | USE NL and USE HASH once only",
                "SELECT 1 FROM (SELECT RAW 1) AS x USE KEYS 'a' | belong behind a keyspace",
                "SELECT 1 FROM [1, 2] AS x USE INDEX (i) | belong behind a keyspace",
                "WITH x AS ([1]) SELECT 1 FROM x USE KEYS 'a' | belong behind a keyspace, and x is a name of the query",
                "SELECT LOWER(name) IGNORE NULLS FROM t | IGNORE behind a function needs OVER",
                "SELECT SUM(n) FROM LAST FROM t | FROM behind a function needs OVER",
                "SELECT LOWER(ALL name) FROM t | LOWER is not an aggregate",
                "GRANT query_select ON t TO ann | GRANT is not done by a statement: users, groups and roles are managed",
                "create user ann PASSWORD 'x' | CREATE USER is not done by a statement",
                "EXPLAIN FUNCTION f | EXPLAIN FUNCTION is not possible: system:functions has the text",
                "CREATE VECTOR INDEX i ON t(v VECTOR) | there are no vector indexes",
                "GRANTS query_select TO ann | syntax error",
                "CREATE USERS ann | syntax error",
                "SELECT FLATTEN_KEYS(n DESC) FROM t | syntax error",
                "CREATE INDEX i ON t(LOWER(n DESC)) | syntax error",
            })
    void clauseWithoutEffect_isRefused(String statement, String why) {
        assertThat(tester.failure(statement).getMessage()).contains(why);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "CREATE INDEX i ON t(n) PARTITION BY HASH(n) | PARTITION BY has no effect",
                "CREATE INDEX i ON t(n INCLUDE MISSING) | INCLUDE MISSING has no effect",
                "CREATE INDEX i ON t(DISTINCT ARRAY FLATTEN_KEYS(x.a, x.b DESC) FOR x IN l END) | DESC and INCLUDE MISSING in FLATTEN_KEYS",
                "CREATE INDEX i ON t(ALL ARRAY flatten_keys(x.a ASC INCLUDE MISSING, ABS(x.b)) FOR x IN l END) | in FLATTEN_KEYS",
                "CREATE INDEX i ON t(n) WITH {\"nodes\": [\"a\"]} | The option nodes of an index has no effect",
                "CREATE PRIMARY INDEX p ON t WITH {\"defer_build\": true} | a primary index is complete at once",
                "ALTER INDEX i ON t WITH {\"action\": \"move\", \"nodes\": [\"a\"]} | ALTER INDEX has no effect",
                "ANALYZE KEYSPACE t(n) | ANALYZE has no effect: plans are chosen by counts",
                "UPDATE STATISTICS FOR t(n) | UPDATE STATISTICS has no effect: plans are chosen by counts",
                "INFER t WITH {\"dictionary_threshold\": 5} | The option dictionary_threshold of INFER has no effect",
                "CREATE COLLECTION IF NOT EXISTS t._default.c WITH {\"history\": true} | The options of a collection have no effect",
                "UPSERT INTO t VALUES (\"k\", {}, {\"ttl\": 5}) | OPTIONS has the field expiration only",
                "UPSERT INTO t VALUES (\"k\", {}, {\"expiration\": \"5\"}) | OPTIONS has the field expiration only",
                "SELECT 1 FROM s JOIN (SELECT RAW 1) AS x USE HASH(BUILD) ON s.n = x | x is not a keyspace",
                "MERGE /*+ ORDERED */ INTO t USING s ON t.n = s.n WHEN MATCHED THEN DELETE | behind SELECT, UPDATE and DELETE only",
            })
    void optionWithoutEffect_isAWarning(String statement, String why) {
        assertThat(tester.warnings(statement)).singleElement().asString().contains(why);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "CREATE INDEX i ON t(DISTINCT ARRAY FLATTEN_KEYS(x.a ASC, x.b) FOR x IN l END)",
                "CREATE INDEX i ON t(n) USING GSI WITH {\"defer_build\": true, \"num_replica\": 0}",
                "CREATE PRIMARY INDEX p ON t WITH {\"num_replica\": 0}",
                "UPSERT INTO t VALUES (\"k\", {}, {\"expiration\": 5})",
                "UPSERT INTO t VALUES (\"k\", {}, {})",
                "INFER t WITH {\"sample_size\": 5}",
            })
    void optionWithItsEffect_isNoWarning(String statement) {
        assertThat(tester.warnings(statement)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "CREATE SEQUENCE t._default.q CACHE 5 | CreateSequence",
                "ALTER SEQUENCE t._default.q CACHE 5 | AlterSequence",
                "DROP SEQUENCE IF EXISTS t._default.q | DropSequence",
            })
    void statementOfASequence_isExplainedAndNotRun(String statement, String operator) {
        List<String> rows = tester.rows("EXPLAIN " + statement);

        assertThat(rows).singleElement().asString().contains("\"#operator\":\"" + operator + "\"");
        assertThat(tester.rows("SELECT * FROM system:sequences")).isEmpty();
    }
}
