package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.n1ql.keyspace.Keyspace.Change;
import io.millrace.n1ql.keyspace.MemoryKeyspaces.MemoryKeyspace;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UpdateTest {

    private static final String BODY =
            "{\"a\":1,\"b\":2,\"o\":{\"x\":1},\"l\":[{\"id\":1,\"q\":5},{\"id\":2,\"q\":6}],\"e\":[]}";

    private final QueryTester tester = new QueryTester();
    private MemoryKeyspace keyspace;

    @BeforeEach
    void fill() {
        keyspace = tester.keyspace("t", "k", BODY);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "SET a = 5                                                | a | 5",
                "SET a = b, b = a                                         | [a, b] | [2,1]",
                "SET a = a + 1, b = a                                     | [a, b] | [2,1]",
                "SET o.x = 'y'                                            | o | {\"x\":\"y\"}",
                "SET o.new = {'deep': [1]}                                | o.new.deep[0] | 1",
                "SET none.x = 1                                           | none IS MISSING | true",
                "SET o.none.x = 1                                         | o | {\"x\":1}",
                "SET a.x = 1                                              | a | 1",
                "SET l[0].q = 9                                           | l[0].q | 9",
                "SET l[-1].q = 9                                          | l[1].q | 9",
                "SET l[7].q = 9                                           | ARRAY_LENGTH(l) | 2",
                "SET t.a = 7                                              | a | 7",
                "SET `a` = MISSING                                        | a IS MISSING | true",
                "SET a = NULL                                             | a | null",
                "SET o.[LOWER('NEW')] = 1                                 | o.new | 1",
                "SET i.q = i.q + 1 FOR i IN l END                         | l[*].q | [6,7]",
                "SET i.q = 0 FOR i IN l WHEN i.id = 2 END                 | l[*].q | [5,0]",
                "SET i.n = p FOR p:i IN l END                             | l[*].n | [0,1]",
                "SET l[p].q = p FOR p:i IN l END                          | l[*].q | [0,1]",
                "SET v.q = 1 FOR v WITHIN l WHEN v.id = 1 END             | l[*].q | [1,6]",
                "SET i.q = j.q FOR i IN l, j IN ARRAY_REVERSE(l) END      | l[*].q | [6,5]",
                "SET i.q = 0 FOR i IN none END                            | l[*].q | [5,6]",
                "UNSET a                                                  | a IS MISSING | true",
                "UNSET o.x, b                                             | [o, b IS MISSING] | [{},true]",
                "UNSET none.x                                             | a | 1",
                "UNSET i.q FOR i IN l WHEN i.id = 1 END                   | l | [{\"id\":1},{\"id\":2,\"q\":6}]",
                "SET a = 3 UNSET b                                        | [a, b IS MISSING] | [3,true]",
            })
    void update_changesTheDocument(String change, String looked, String expected) {
        tester.rows("UPDATE t USE KEYS 'k' " + change);

        assertThat(tester.rows("SELECT RAW " + looked + " FROM t USE KEYS 'k'")).containsExactly(expected);
    }

    @Test
    void update_keepsWhatItDoesNotTouchAsItWas() {
        tester.rows("UPDATE t SET a = 5");

        assertThat(tester.body("t", "k")).isEqualTo(BODY.replace("\"a\":1", "\"a\":5"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "UPDATE t WHERE a = 1                           | SYNTAX",
                "UPDATE t SET a                                 | SYNTAX",
                "UPDATE t SET 5 = a                             | SEMANTICS",
                "UPDATE t SET a = 1 FOR x IN l                  | SYNTAX",
                "UPDATE nowhere SET a = 1                       | KEYSPACE_NOT_FOUND",
                "UPDATE t SET a = NOSUCH()                      | SYNTAX",
                "UPDATE t SET a = COUNT(*)                      | SYNTAX",
                "UPDATE t SET a = ROW_NUMBER() OVER ()          | WINDOW",
                "UPDATE t SET LOWER('x') = 1                    | SEMANTICS",
            })
    void wrongUpdate_hasItsCodeAndChangesNothing(String statement, ErrorCode code) {
        assertThat(tester.failure(statement).errorCode()).isEqualTo(code);
        assertThat(tester.body("t", "k")).isEqualTo(BODY);
    }

    @Test
    void returning_seesTheNewDocument() {
        assertThat(tester.rows("UPDATE t SET a = 5 RETURNING a, META().id")).containsExactly("{\"a\":5,\"id\":\"k\"}");
        assertThat(tester.rows("UPDATE t SET a = 6 WHERE a = 5 RETURNING RAW a"))
                .containsExactly("6");
        assertThat(tester.rows("UPDATE t SET a = 6 WHERE a = 5 RETURNING RAW a"))
                .isEmpty();
    }

    @Test
    void letWhereAndLimit_chooseDocuments() {
        for (int i = 0; i < 10; i++) {
            keyspace.put("n" + i, "{\"n\":" + i + "}");
        }

        assertThat(tester.rows("UPDATE t LET twice = n * 2 SET m = twice WHERE twice > 8 LIMIT 3 RETURNING RAW m"))
                .containsExactly("10", "12", "14");
        assertThat(tester.rows("SELECT RAW COUNT(m) FROM t")).containsExactly("3");
    }

    @Test
    void useKeys_skipsAbsentAndTakesEachOnce() {
        try (Rows rows = tester.engine()
                .execute("UPDATE t USE KEYS ['k', 'none', 'k', 5] SET a = a + 1", QueryOptions.DEFAULT)) {
            assertThat(rows.mutations()).isEqualTo(1);
            assertThat(rows.warnings()).extracting(QueryException::errorCode).contains(ErrorCode.INVALID_KEY_WARNING);
        }
        assertThat(tester.rows("SELECT RAW a FROM t")).containsExactly("2");
    }

    @Test
    void expiration_isClearedUnlessItIsPreservedOrSet() {
        tester.rows("UPSERT INTO t VALUES ('k', {'a': 1}, {'expiration': 4000000000})");
        tester.rows("UPDATE t SET a = 2", QueryOptions.DEFAULT.withPreserveExpiry(true));
        assertThat(tester.rows("SELECT RAW META().expiration FROM t")).containsExactly("4000000000");

        tester.rows("UPDATE t SET a = 3");
        assertThat(tester.rows("SELECT RAW META().expiration FROM t")).containsExactly("0");

        tester.rows("UPDATE t SET META(t).expiration = 4000000001");
        assertThat(tester.rows("SELECT RAW META().expiration FROM t")).containsExactly("4000000001");
    }

    @Test
    void updateOfManyDocuments_reachesEachOnce() {
        for (int i = 0; i < 1000; i++) {
            keyspace.put("n" + i, "{\"n\":0}");
        }

        tester.rows("UPDATE t SET n = n + 1 WHERE n IS NOT MISSING");

        assertThat(tester.rows("SELECT RAW COUNT(*) FROM t WHERE n = 1")).containsExactly("1000");
    }

    @Test
    void concurrentUpdates_loseNothing() {
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            writers.add(CompletableFuture.runAsync(() -> {
                for (int n = 0; n < 50; n++) {
                    boolean done = false;
                    while (!done) {
                        try {
                            tester.rows("UPDATE t USE KEYS 'k' SET a = a + 1");
                            done = true;
                        } catch (QueryException e) {
                            assertThat(e.errorCode()).isEqualTo(ErrorCode.DML);
                        }
                    }
                }
            }));
        }
        writers.forEach(CompletableFuture::join);

        assertThat(tester.rows("SELECT RAW a FROM t")).containsExactly("401");
    }

    @Test
    void documentChangedMeanwhile_isReadAgain() {
        keyspace.beforeNextChange(() -> keyspace.change(
                new Change(Change.Kind.UPSERT, "k", "{\"a\":10}".getBytes(StandardCharsets.UTF_8), 0, 0L)));

        tester.rows("UPDATE t SET a = a + 1 WHERE a > 0");

        assertThat(tester.body("t", "k")).isEqualTo("{\"a\":11}");
    }

    @Test
    void documentThatNoLongerFits_isLeftAlone() {
        keyspace.beforeNextChange(() -> keyspace.change(
                new Change(Change.Kind.UPSERT, "k", "{\"a\":-1}".getBytes(StandardCharsets.UTF_8), 0, 0L)));

        tester.rows("DELETE FROM t WHERE a > 0");

        assertThat(tester.body("t", "k")).isEqualTo("{\"a\":-1}");
    }
}
