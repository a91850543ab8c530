package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.n1ql.keyspace.FunctionDefinition;
import io.millrace.n1ql.keyspace.KeyspaceName;
import io.millrace.n1ql.keyspace.KeyspaceStore;
import io.millrace.n1ql.keyspace.MemoryKeyspaces.MemoryKeyspace;
import io.millrace.n1ql.keyspace.StatementRights;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Statements of one request whose changes are written together or not at all. */
class TransactionTest {

    private static final QueryOptions ATOMIC = QueryOptions.DEFAULT.withAtomic(true);

    /** The first seed, and how many, as properties: {@code -Dmillrace.n1ql.seed=5 -Dmillrace.n1ql.seeds=10000}. */
    private static final long SEED = Long.getLong("millrace.n1ql.seed", 31);

    private static final int SEEDS = Integer.getInteger("millrace.n1ql.seeds", 60);

    private final QueryTester tester = new QueryTester();
    private MemoryKeyspace accounts;

    @BeforeEach
    void fill() {
        accounts = tester.keyspace("accounts", "ann", "{\"n\":10}", "bob", "{\"n\":5}");
        tester.keyspace("log");
    }

    private String balance(String key) {
        return tester.body("accounts", key);
    }

    @Test
    void committedStatements_seeTheirChanges_andGiveTheirRows() {
        List<String> rows = tester.rows("""
                BEGIN WORK;
                UPDATE accounts USE KEYS "ann" SET n = n - 3 RETURNING RAW n;
                UPDATE accounts USE KEYS "bob" SET n = n + 3;
                SELECT RAW SUM(n) FROM accounts WHERE n > 5;
                INSERT INTO log VALUES ("l1", {"moved": 3}), ("l2", {"by": $who});
                SELECT RAW COUNT(*) FROM log;
                COMMIT
                """, QueryOptions.DEFAULT.withNamed("who", Value.of("me")));

        assertThat(rows).containsExactly("[7]", "[]", "[15]", "[]", "[2]");
        assertThat(List.of(balance("ann"), balance("bob"), tester.body("log", "l2")))
                .containsExactly("{\"n\":7}", "{\"n\":8}", "{\"by\":\"me\"}");
    }

    @Test
    void failureOfOneStatement_undoesTheOthers() {
        QueryException failure = tester.failure("""
                START TRANSACTION;
                DELETE FROM accounts USE KEYS "bob";
                INSERT INTO accounts VALUES ("ann", {"n": 1});
                COMMIT TRAN""");

        assertThat(failure.errorCode()).isEqualTo(ErrorCode.DML);
        assertThat(balance("bob")).isEqualTo("{\"n\":5}");
    }

    /** Without a transaction the first row is written and the second is an error. */
    @Test
    void implicitTransaction_writesAllRowsOrNone() {
        String insert = "INSERT INTO accounts VALUES (\"cid\", {\"n\": 1}), (\"ann\", {\"n\": 1})";

        assertThat(tester.failure(insert, ATOMIC).errorCode()).isEqualTo(ErrorCode.DML);
        assertThat(balance("cid")).isEqualTo("none");
        assertThat(tester.rows("UPDATE accounts SET n = n + 1 WHERE n > 0 RETURNING RAW n", ATOMIC))
                .containsExactly("11", "6");
        assertThat(List.of(balance("ann"), balance("bob"))).containsExactly("{\"n\":11}", "{\"n\":6}");
    }

    @Test
    void rolledBack_nothingIsWritten() {
        assertThat(tester.rows("BEGIN; DELETE FROM accounts; SELECT RAW COUNT(*) FROM accounts; ROLLBACK WORK"))
                .containsExactly("[]", "[0]");
        assertThat(balance("ann")).isEqualTo("{\"n\":10}");
    }

    @Test
    void savepoint_isWhatIsGoneBackTo() {
        try (Rows rows = tester.engine().execute("""
                        BEGIN WORK;
                        UPDATE accounts USE KEYS "ann" SET n = 1;
                        SAVEPOINT one;
                        UPDATE accounts SET n = 2;
                        ROLLBACK WORK TO SAVEPOINT one;
                        SELECT RAW n FROM accounts ORDER BY n;
                        COMMIT""", QueryOptions.DEFAULT)) {
            rows.next();
            rows.next();
            assertThat(String.valueOf(rows.next())).isEqualTo("[1,5]");
            assertThat(rows.mutations()).isEqualTo(1);
        }
        assertThat(List.of(balance("ann"), balance("bob"))).containsExactly("{\"n\":1}", "{\"n\":5}");
        assertThat(tester.failure("BEGIN; DELETE FROM accounts; ROLLBACK TO nothing; COMMIT"))
                .hasMessageContaining("no savepoint nothing");
        assertThat(balance("bob")).isEqualTo("{\"n\":5}");
    }

    /** Another writer changes what has been read: the statements are run again with what is there now. */
    @Test
    void conflict_isTriedAgain() {
        accounts.beforeNextChange(() -> accounts.put("ann", "{\"n\":100}"));

        tester.rows(
                "BEGIN; UPDATE accounts USE KEYS 'ann' SET n = n + 1; UPDATE accounts USE KEYS 'bob' SET n = 0; COMMIT");

        assertThat(List.of(balance("ann"), balance("bob"))).containsExactly("{\"n\":101}", "{\"n\":0}");
    }

    @Test
    void conflict_readsSubqueriesAgain() {
        accounts.beforeNextChange(() -> accounts.put("ann", "{\"n\":100}"));

        tester.rows("UPDATE accounts USE KEYS 'ann' SET sum = (SELECT RAW SUM(a.n) FROM accounts a)[0]", ATOMIC);

        assertThat(balance("ann")).isEqualTo("{\"n\":100,\"sum\":105}");
    }

    @Test
    void conflictThatDoesNotEnd_isAnError() {
        AtomicInteger writes = new AtomicInteger();
        accounts.beforeNextChange(new Runnable() {
            @Override
            public void run() {
                accounts.put("ann", "{\"n\":" + writes.incrementAndGet() + "}");
                accounts.beforeNextChange(this);
            }
        });

        QueryException failure = tester.failure("BEGIN; UPDATE accounts SET n = 0; UPDATE log SET n = 0; COMMIT");

        assertThat(failure.errorCode()).isEqualTo(ErrorCode.TRANSACTION_CONFLICT);
        assertThat(failure).hasMessageContaining("document ann");
        assertThat(writes).hasValue(16);
        assertThat(balance("bob")).isEqualTo("{\"n\":5}");
    }

    /** A right to change a keyspace is the right to read it only for the statement that changes it. */
    @Test
    void rights_areThoseOfEachStatement() {
        QueryOptions writer = QueryOptions.DEFAULT.withRights(new Writer());

        assertThat(tester.failure("BEGIN; UPDATE accounts SET n = 0; SELECT * FROM accounts; COMMIT", writer)
                        .errorCode())
                .isEqualTo(ErrorCode.NO_CREDENTIALS);
        assertThat(balance("bob")).isEqualTo("{\"n\":5}");
    }

    @Test
    void changesBeyondTheLimit_areRefused() {
        String rows =
                "BEGIN; INSERT INTO log (KEY 'k' || TO_STR(i), VALUE {}) SELECT i FROM ARRAY_RANGE(0, %d) AS i; COMMIT";

        tester.rows(rows.formatted(KeyspaceStore.MAX_ATOMIC_CHANGES));
        assertThat(tester.rows("SELECT RAW COUNT(*) FROM log")).containsExactly("256");

        assertThat(tester.failure(
                        rows.formatted(KeyspaceStore.MAX_ATOMIC_CHANGES + 1).replace("'k'", "'m'")))
                .hasMessageContaining("at most 256 documents");
        assertThat(tester.rows("SELECT RAW COUNT(*) FROM log")).containsExactly("256");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "BEGIN WORK | 1 | The request ends without COMMIT or ROLLBACK",
                "COMMIT | 1 | A transaction begins with BEGIN WORK",
                "SAVEPOINT s | 1 | A transaction begins with BEGIN WORK",
                "BEGIN; DELETE FROM accounts | 8 | ends without COMMIT",
                "BEGIN; COMMIT; BEGIN; COMMIT | 8 | another transaction needs a request of its own",
                "BEGIN; CREATE INDEX i ON accounts(n); COMMIT | 8 | run this statement before or after it",
                "BEGIN; DELETE FROM system:prepareds; COMMIT | 8 | of documents only",
            })
    void whatIsNotPossible_isRefusedInWords(String statement, int column, String said) {
        QueryException failure = tester.failure(statement);

        assertThat(failure.errorCode()).isEqualTo(ErrorCode.NO_TRANSACTIONS);
        assertThat(failure).hasMessageContaining(said);
        assertThat(failure.column()).isEqualTo(column);
        assertThat(tester.rows("SELECT RAW COUNT(*) FROM accounts")).containsExactly("2");
    }

    @Test
    void mistakeInAStatement_hasItsPlaceInTheText() {
        QueryException failure = tester.failure("BEGIN; /* \uD83D\uDE00 */\n  SELECT * FORM accounts; COMMIT");

        assertThat(failure.errorCode()).isEqualTo(ErrorCode.SYNTAX);
        assertThat(List.of(failure.line(), failure.column())).containsExactly(2, 12);
    }

    @Test
    void readonlyRequest_mayOnlyRead() {
        QueryOptions readonly = QueryOptions.DEFAULT.withReadonly(true);

        assertThat(tester.rows("BEGIN; SELECT RAW COUNT(*) FROM accounts; COMMIT", readonly))
                .containsExactly("[2]");
        assertThat(tester.failure("BEGIN; DELETE FROM accounts; COMMIT", readonly)
                        .errorCode())
                .isEqualTo(ErrorCode.READONLY);
    }

    /** The same statements one by one, on another keyspace with the same documents. Every other transaction uses files. */
    @Test
    void randomStatements_giveTheRowsThatTheyGiveWithoutATransaction() {
        QueryEngine spilling = SpillingEngine.over(tester.keyspaces());
        for (String name : List.of("one", "two")) {
            tester.keyspace(name);
            tester.rows("CREATE INDEX an ON " + name + "(a, n DESC)");
            tester.rows("CREATE INDEX part ON " + name + "(n) WHERE a > 2");
            tester.rows("CREATE INDEX tags ON " + name + "(DISTINCT ARRAY t FOR t IN tags END)");
        }
        for (long seed = SEED; seed < SEED + SEEDS; seed++) {
            Random random = new Random(seed);
            List<String> statements = new ArrayList<>();
            for (int i = 2 + random.nextInt(8); i > 0; i--) {
                statements.add(statement(random));
            }
            List<String> apart = new ArrayList<>();
            for (String statement : statements) {
                apart.add("[" + String.join(",", tester.rows(statement.formatted("one"))) + "]");
            }

            String together = "BEGIN; " + String.join("; ", statements).replace("%s", "two") + "; COMMIT";

            assertThat(QueryTester.rows(seed % 2 == 0 ? spilling : tester.engine(), together, QueryOptions.DEFAULT))
                    .as("seed " + seed + ": " + together)
                    .isEqualTo(apart);
            assertThat(tester.rows("SELECT META(d).id, d.* FROM two d ORDER BY META(d).id"))
                    .as("seed " + seed + ": " + together)
                    .isEqualTo(tester.rows("SELECT META(d).id, d.* FROM one d ORDER BY META(d).id"));
        }
    }

    private static String statement(Random random) {
        String key = "\"k" + random.nextInt(12) + "\"";
        String condition = List.of(
                        "a > 2",
                        "a = 3 AND n < 50",
                        "n > 20 AND a > 2",
                        "ANY t IN tags SATISFIES t = 1 END",
                        "META().id > \"k5\"",
                        "a IN [1, 4]")
                .get(random.nextInt(6));
        String document = "{\"a\":%d,\"n\":%d,\"tags\":[%d]}"
                .formatted(random.nextInt(6), random.nextInt(100), random.nextInt(3));
        return switch (random.nextInt(9)) {
            case 0, 1 -> "UPSERT INTO %s VALUES (" + key + ", " + document + ")";
            case 2 -> "UPDATE %s SET n = n + 7, a = a + 1 WHERE " + condition;
            case 3 -> "DELETE FROM %s USE KEYS " + key;
            case 4 -> "DELETE FROM %s WHERE " + condition + " AND n < 30";
            case 5 -> "SELECT RAW COUNT(*) FROM %s WHERE " + condition;
            case 6 -> "SELECT a, n, META().id FROM %s WHERE " + condition + " ORDER BY a, n DESC, META().id LIMIT 5";
            case 7 -> "SELECT META().id FROM %s ORDER BY META().id DESC LIMIT 4";
            default -> "SELECT a, COUNT(*) AS c, MIN(n) AS low FROM %s WHERE a >= 0 GROUP BY a ORDER BY a";
        };
    }

    /** May update and not read. */
    private static final class Writer implements StatementRights {

        @Override
        public boolean allows(Need need, KeyspaceName name) {
            return need == Need.UPDATE;
        }

        @Override
        public boolean managesFunction(FunctionDefinition.Name name) {
            return false;
        }

        @Override
        public boolean shows(KeyspaceName name) {
            return true;
        }

        @Override
        public boolean allowsSystem() {
            return false;
        }

        @Override
        public boolean showsUsers() {
            return false;
        }

        @Override
        public User user() {
            return new User("local", "w", "", List.of());
        }
    }
}
