package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.n1ql.keyspace.KeyspaceName.QueryContext;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sequences: the values that they give, and to whom. */
class SequencesTest {

    private static final QueryOptions IN_SCOPE =
            QueryOptions.DEFAULT.withQueryContext(new QueryContext("shop", "_default"));

    private final QueryTester tester = new QueryTester();

    @BeforeEach
    void keyspace() {
        tester.keyspace("shop", "a", "{\"n\":1,\"nextval\":7}", "b", "{\"n\":2}", "c", "{\"n\":3}");
    }

    private List<String> next(int times) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            values.addAll(tester.rows("SELECT RAW NEXTVAL FOR shop._default.s"));
        }
        return values;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | 0,1,2",
                "START WITH 5 | 5,6,7",
                "START WITH 5 INCREMENT BY -2 | 5,3,1",
                "START WITH 5 INCREMENT BY 10 CACHE 1 | 5,15,25",
                "MINVALUE 3 NO CACHE | 3,4,5",
                "INCREMENT BY -1 MAXVALUE -1 | -1,-2,-3",
                "START WITH 2 MINVALUE 1 MAXVALUE 3 CYCLE | 2,3,1",
                "START WITH 2 MINVALUE 1 MAXVALUE 3 INCREMENT BY -1 CYCLE CACHE 2 | 2,1,3",
                "START WITH 9223372036854775806 CYCLE INCREMENT BY 1 | 9223372036854775806,9223372036854775807,-9223372036854775808",
                "WITH {\"start\": 4, \"increment\": 4, \"cache\": 2} | 4,8,12",
                "WITH {\"max\": 9, \"min\": 8, \"cycle\": true} | 8,9,8"
            })
    void values_followTheOptions(String options, String values) {
        tester.rows("CREATE SEQUENCE shop._default.s " + options + ";");

        assertThat(next(3)).containsExactly(values.split(","));
    }

    @Test
    void exhaustedSequence_saysWhatGivesMore() {
        tester.rows("CREATE SEQUENCE shop._default.s START WITH 1 MAXVALUE 2");
        assertThat(next(2)).containsExactly("1", "2");

        QueryException failure = tester.failure("SELECT RAW NEXTVAL FOR shop._default.s");
        assertThat(failure.errorCode()).isEqualTo(ErrorCode.SEQUENCE_EXHAUSTED);
        assertThat(failure).hasMessageContaining("RESTART");

        tester.rows("ALTER SEQUENCE shop._default.s RESTART");
        assertThat(next(2)).containsExactly("1", "2");
        tester.rows("ALTER SEQUENCE shop._default.s RESTART WITH 2 MAXVALUE 3");
        assertThat(next(2)).containsExactly("2", "3");
    }

    @Test
    void alteredSequence_continuesBehindWhatIsReserved() {
        tester.rows("CREATE SEQUENCE shop._default.s CACHE 10");
        assertThat(next(2)).containsExactly("0", "1");

        tester.rows("ALTER SEQUENCE shop._default.s INCREMENT BY 5");

        assertThat(next(2)).containsExactly("10", "15");
    }

    @Test
    void newSequenceOfTheSameName_beginsAtItsStart() {
        tester.rows("CREATE SEQUENCE shop._default.s");
        next(3);

        tester.rows("DROP SEQUENCE shop._default.s");
        assertThat(tester.failure("SELECT RAW NEXTVAL FOR shop._default.s").errorCode())
                .isEqualTo(ErrorCode.SEQUENCE_NOT_FOUND);
        tester.rows("CREATE SEQUENCE shop._default.s START WITH 100");

        assertThat(next(1)).containsExactly("100");
    }

    @ParameterizedTest
    @CsvSource({
        "NEXTVAL FOR s",
        "NEXT VALUE FOR s",
        "nextval for `s`",
        "NEXTVAL FOR shop._default.s",
        "NEXTVAL FOR default:shop._default.s",
        "NEXTVAL /* the next */ FOR s",
        "NEXTVAL('s')",
        "NEXTVAL('shop._default.`s`')"
    })
    void spellings_meanTheSame(String expression) {
        tester.rows("CREATE SEQUENCE s START WITH 42", IN_SCOPE);

        assertThat(tester.rows("SELECT RAW " + expression + " + 0", IN_SCOPE)).containsExactly("42");
    }

    @Test
    void previousValue_isTheLastOneGiven() {
        tester.rows("CREATE SEQUENCE s", IN_SCOPE);
        assertThat(tester.failure("SELECT RAW PREVVAL FOR s", IN_SCOPE).errorCode())
                .isEqualTo(ErrorCode.SEQUENCE_UNUSED);

        tester.rows("SELECT NEXTVAL FOR shop._default.s FROM shop");

        assertThat(tester.rows("SELECT RAW PREVVAL FOR s", IN_SCOPE)).containsExactly("2");
        assertThat(tester.rows("SELECT RAW PREVIOUS VALUE FOR s", IN_SCOPE)).containsExactly("2");
        assertThat(tester.rows("SELECT RAW PREV VALUE FOR s", IN_SCOPE)).containsExactly("2");
    }

    @Test
    void everyRow_getsAValueOfItsOwn() {
        tester.rows("CREATE SEQUENCE s START WITH 1 CACHE 2", IN_SCOPE);

        tester.rows("UPDATE shop SET id = NEXTVAL FOR shop._default.s");
        tester.rows("INSERT INTO shop (KEY, VALUE) VALUES ('o' || TO_STRING(NEXTVAL FOR shop._default.s),"
                + " {'id': PREVVAL FOR shop._default.s})");

        assertThat(tester.rows("SELECT RAW id FROM shop WHERE id IS NOT MISSING ORDER BY id"))
                .containsExactly("1", "2", "3", "4");
        assertThat(tester.body("shop", "o4")).isEqualTo("{\"id\":4}");
    }

    @Test
    void wordsOfSequences_areNamesToo() {
        assertThat(tester.rows("SELECT RAW nextval FROM shop WHERE nextval = 7"))
                .containsExactly("7");
        assertThat(tester.rows("SELECT RAW ARRAY nextval FOR nextval IN [1, 2] END"))
                .containsExactly("[1,2]");
        assertThat(tester.rows("SELECT 1 AS sequence, 2 AS cache, 3 AS increment"))
                .containsExactly("{\"sequence\":1,\"cache\":2,\"increment\":3}");
    }

    @Test
    void processes_neverGiveTheSameValue() throws Exception {
        tester.rows("CREATE SEQUENCE shop._default.s CACHE 3");
        Set<String> values = ConcurrentHashMap.newKeySet();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            QueryEngine process = new QueryEngine(tester.keyspaces(), InstantSource.system());
            threads.add(Thread.ofPlatform().start(() -> {
                for (int turn = 0; turn < 100; turn++) {
                    values.add(value(process));
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(values).hasSize(400);
    }

    @Test
    void changesOfAnotherProcess_areSeenByTheNextStatement() {
        QueryTester other = tester;
        QueryEngine here = new QueryEngine(tester.keyspaces(), InstantSource.system());
        other.rows("CREATE SEQUENCE shop._default.s");
        assertThat(value(here)).isEqualTo("0");

        other.rows("ALTER SEQUENCE shop._default.s RESTART WITH 1000");

        assertThat(value(here)).isEqualTo("1000");
    }

    private static String value(QueryEngine engine) {
        try (Rows rows = engine.execute("SELECT RAW NEXTVAL FOR shop._default.s", QueryOptions.DEFAULT)) {
            return Objects.requireNonNull(rows.next()).toJson();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CREATE SEQUENCE shop._default.s START 5 | SYNTAX | START WITH",
                "CREATE SEQUENCE shop._default.s START WITH x | SYNTAX | 64-bit integer",
                "CREATE SEQUENCE shop._default.s WITH {\"begin\": 1} | SYNTAX | begin",
                "CREATE SEQUENCE shop._default.s RESTART | SYNTAX | of ALTER",
                "CREATE SEQUENCE shop._default.s INCREMENT BY 0 | SEMANTICS | INCREMENT BY 0",
                "CREATE SEQUENCE shop._default.s CACHE 0 | SEMANTICS | NO CACHE is 1",
                "CREATE SEQUENCE shop._default.s START WITH 9 MAXVALUE 3 | SEMANTICS | START WITH 9",
                "CREATE SEQUENCE shop._default.s MINVALUE 3 MAXVALUE 3 | SEMANTICS | less than",
                "CREATE SEQUENCE shop.absent.s | SCOPE_NOT_FOUND | shop.absent",
                "CREATE SEQUENCE s | SEQUENCE_NAME | bucket.scope.name",
                "ALTER SEQUENCE shop._default.absent RESTART | SEQUENCE_NOT_FOUND | absent",
                "DROP SEQUENCE shop._default.absent | SEQUENCE_NOT_FOUND | absent",
                "DROP SEQUENCE shop._default.absent CACHE 3 | SYNTAX | the end",
                "SELECT NEXTVAL(1) | SYNTAX | bucket.scope.name",
                "SELECT NEXTVAL FOR shop._default.absent | SEQUENCE_NOT_FOUND | absent"
            })
    void mistakes_areRefusedInWords(String statement, ErrorCode code, String words) {
        QueryException failure = tester.failure(statement);

        assertThat(failure.errorCode()).as(failure.toString()).isEqualTo(code);
        assertThat(failure).hasMessageContaining(words);
    }

    @Test
    void conditions_acceptWhatIsDoneAlready() {
        tester.rows("CREATE SEQUENCE IF NOT EXISTS shop._default.s START WITH 7");
        tester.rows("CREATE SEQUENCE shop._default.s IF NOT EXISTS START WITH 8");
        assertThat(tester.failure("CREATE SEQUENCE shop._default.s").errorCode())
                .isEqualTo(ErrorCode.SEQUENCE_EXISTS);
        assertThat(next(1)).containsExactly("7");

        tester.rows("DROP SEQUENCE IF EXISTS shop._default.s");
        tester.rows("DROP SEQUENCE shop._default.s IF EXISTS");
        tester.rows("ALTER SEQUENCE IF EXISTS shop._default.s RESTART");
    }

    @Test
    void systemSequences_listsThem() {
        tester.rows("CREATE SEQUENCE shop._default.s MAXVALUE 10 CACHE 3");
        next(1);

        assertThat(tester.rows("SELECT RAW s FROM system:sequences s"))
                .singleElement()
                .asString()
                .contains("\"name\":\"s\"", "\"scope_id\":\"_default\"", "\"max\":10", "\"~next_block\":3");
        assertThat(tester.rows("SELECT RAW s FROM system:all_sequences s"))
                .isEqualTo(tester.rows("SELECT RAW s FROM system:sequences s"));
    }
}
