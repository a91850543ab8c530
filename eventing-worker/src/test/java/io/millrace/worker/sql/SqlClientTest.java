package io.millrace.worker.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.handler.host.HostFailure;
import io.millrace.handler.host.SqlCall;
import io.millrace.handler.host.SqlCall.Answer.Changed;
import io.millrace.workerprotocol.HandlerSettings;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** On a file of SQLite. */
class SqlClientTest {

    @TempDir
    private Path directory;

    private Path drivers = Path.of("");
    private String url = "";
    private Databases db = unset();

    private static Databases unset() {
        return new Databases(binding("", false, 1, 1), List.of(), List.of(), Path.of(""));
    }

    private static HandlerSettings.Database binding(String url, boolean readOnly, int rows, long millis) {
        return new HandlerSettings.Database("db", url, "", "", readOnly, rows, millis, 2);
    }

    @BeforeEach
    void open() throws Exception {
        drivers = Databases.drivers(directory.resolve("drivers"));
        url = "jdbc:sqlite:" + directory.resolve("crm.db");
        db = Databases.named(binding(url, false, 3, 20_000), drivers);
        db.run("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, more JSON)");
    }

    @AfterEach
    void close() {
        db.close();
    }

    @Test
    void update_givesTheNumberOfRows_andQueryTheRows() throws HostFailure {
        assertThat(db.run("INSERT INTO t VALUES (?, ?, ?), (2, 'b', NULL)", 1L, "a", new SqlCall.Json("{\"x\":1}")))
                .isEqualTo(new Changed(2));

        assertThat(db.run("SELECT id, name, more FROM t ORDER BY id"))
                .isEqualTo(new SqlCall.Answer.Rows(
                        List.of("id", "name", "more"),
                        List.of(List.of(1, "a", new SqlCall.Json("{\"x\":1}")), Arrays.asList(2, "b", null))));
        assertThat(db.run("INSERT INTO t (id) VALUES (9) RETURNING id + 1 AS next"))
                .isEqualTo(new SqlCall.Answer.Rows(List.of("next"), List.of(List.of(10))));
        assertThat(db.rows("SELECT count(*) FROM t")).containsExactly(List.of(3));
        assertThat(db.counted).containsOnlyKeys("sql_success_count");
    }

    @Test
    void values_areWhatWasGiven() throws HostFailure {
        var row = db.rows(
                        "SELECT ? AS a, ? AS b, ? AS c, ? AS d, ? AS e, ? AS f, ? AS g",
                        null,
                        9_007_199_254_740_993L,
                        -0.5,
                        "it's",
                        new byte[] {0, 1},
                        new BigInteger("9223372036854775807"),
                        Instant.parse("2026-01-02T03:04:05.006Z"))
                .getFirst();

        assertThat(row.subList(0, 4)).isEqualTo(Arrays.asList(null, 9_007_199_254_740_993L, -0.5, "it's"));
        assertThat((byte[]) row.get(4)).containsExactly(0, 1);
        assertThat(row.subList(5, 7)).isEqualTo(List.of(Long.MAX_VALUE, "2026-01-02T03:04:05.006Z"));
    }

    @Test
    void array_isAListOfValues() throws HostFailure {
        assertThat(db.rows("SELECT 2 AS two WHERE 2 IN (SELECT value FROM json_each(?))", new SqlCall.Json("[1, 2]")))
                .containsExactly(List.of(2));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'; DROP TABLE t; --",
                "x' OR '1'='1",
                "\\'; DELETE FROM t; --",
                "?",
                ":name",
                "*/ 1; DROP TABLE t",
                "\u0000'"
            })
    void value_isNeverPartOfTheStatement(String value) throws HostFailure {
        db.runNamed("INSERT INTO t (id, name) VALUES (:id, :name)", "id", 1L, "name", value);
        db.run("INSERT INTO t (id, name) VALUES (?, ?)", 2L, "other");

        SqlCall.Answer found =
                db.runNamed("SELECT id, ':name' AS text FROM t WHERE name = :name -- :name", "name", value);

        assertThat(found).isEqualTo(new SqlCall.Answer.Rows(List.of("id", "text"), List.of(List.of(1, ":name"))));
        assertThat(db.rows("SELECT count(*) FROM t")).containsExactly(List.of(2));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "SELECT absent FROM t | HY000 [SQLITE_ERROR] SQL error or missing database (no such column: absent)",
                "INSERT INTO t (id) VALUES (1), (1) | HY000 [SQLITE_CONSTRAINT_PRIMARYKEY] A PRIMARY KEY constraint failed"
                        + " (UNIQUE constraint failed: t.id)",
                "SELECT 1; DROP TABLE t | 42601 sql runs one statement per call; call it once for each of them",
                "SELECT ? | 07001 The statement has a ?; pass its parameters as an array, or name each of them",
                "SELECT :id | 07001 The parameter :id of the statement has no value",
                "SELECT 1 AS a, 2 AS a | 42701 Two columns of the result are called a; rename one with AS",
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4) SELECT i FROM n | 54000 The"
                        + " statement has more than 3 rows, the limit of binding 'db'; add LIMIT, or raise its max_rows"
            })
    void mistake_isAnErrorWithItsState(String statement, String error) throws HostFailure {
        assertThat(db.failure(statement)).isEqualTo(error);

        assertThat(db.rows("SELECT count(*) FROM t")).containsExactly(List.of(0));
        assertThat(db.counted).containsEntry("sql_failure_count", 1L);
    }

    @Test
    void wrongNumberOfValues_isRefused() {
        assertThat(db.failure("SELECT ?", 1L, 2L))
                .isEqualTo("07001 The statement has 1 parameters, but 2 values are given");
    }

    @Test
    void rowsBeyondTheLimit_undoTheStatement() throws HostFailure {
        assertThat(db.failure("INSERT INTO t (id) VALUES (?), (2), (3), (4) RETURNING id", 1L))
                .startsWith("54000");

        assertThat(db.rows("SELECT count(*) FROM t")).containsExactly(List.of(0));
    }

    @Test
    void largeResult_isRefused() {
        assertThat(db.failure("SELECT ? AS a, zeroblob(17000000) AS b", 1L))
                .isEqualTo(
                        "54000 The rows of the statement have more than 16777216 bytes; select fewer rows or columns");
    }

    @Test
    void readOnlyBinding_refusesWrites() throws HostFailure {
        try (Databases reader = Databases.named(binding(url, true, 3, 20_000), drivers)) {
            assertThat(reader.failure("INSERT INTO t (id) VALUES (?)", 1L)).contains("SQLITE_READONLY");
            assertThat(reader.rows("SELECT count(*) FROM t")).containsExactly(List.of(0));
        }
    }

    @Test
    void otherFile_cannotBeReached() {
        Path other = directory.resolve("other.db");

        assertThat(db.failure("ATTACH DATABASE '" + other + "' AS other")).contains("too many attached");
        db.failure("VACUUM INTO '" + other + "'");

        assertThat(other).doesNotExist();
    }

    @Test
    void longStatement_isCancelledAndItsConnectionIsUsable() throws HostFailure {
        try (Databases impatient = Databases.named(binding(url, false, 3, 300), drivers)) {
            String endless =
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) AS m FROM n";

            assertThat(impatient.failure(endless))
                    .isEqualTo("HYT00 The time for the statement is up; it was cancelled and changed nothing");
            assertThat(impatient.counted).containsEntry("sql_timeout_count", 1L);
            assertThat(impatient.rows("SELECT 1 AS one")).containsExactly(List.of(1));
        }
        assertThat(db.failureWithin(
                        300_000_000,
                        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
                                + " SELECT max(i) AS m FROM n"))
                .startsWith("HYT00");
    }

    @Test
    void fileThatIsNotNamed_isRefused() {
        try (Databases other = new Databases(binding(url, false, 3, 1000), List.of(url + "2"), List.of(), drivers)) {
            assertThat(other.failure("SELECT 1"))
                    .isEqualTo("28000 Binding 'db': the database may not be used by functions: name its URL in"
                            + " MILLRACE_SQL_ALLOWED, or use a URL like jdbc:postgresql://host:5432/database");
        }
    }

    @Test
    void missingDriver_isNamedWithItsDirectory_andFoundWhenItIsThere() throws Exception {
        Path empty = directory.resolve("empty");
        try (Databases without = Databases.named(binding(url, false, 3, 20_000), empty)) {
            assertThat(without.failure("SELECT 1"))
                    .isEqualTo("08001 No JDBC driver for " + url + "; put the jar of the driver into the directory "
                            + empty + " of each eventing node");

            Databases.drivers(empty);

            assertThat(without.rows("SELECT 1 AS one")).containsExactly(List.of(1));
        }
    }

    @Test
    void brokenDriver_isReported() throws IOException {
        Path broken = Files.createDirectory(directory.resolve("broken"));
        Files.writeString(broken.resolve("driver.jar"), "not a jar");
        try (Databases other = Databases.named(binding(url, false, 3, 1000), broken)) {
            assertThat(other.failure("SELECT 1")).startsWith("08001 No JDBC driver for");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "connect, 08001 No connection to the database of binding 'db': the JDBC driver failed with",
        "prepareStatement, HY000 the JDBC driver failed with",
        "commit, HY000 the JDBC driver failed with"
    })
    void driverWithADefect_isAnErrorOfTheStatement(String defect, String error) throws IOException {
        Path jars = Files.createDirectory(directory.resolve("defects"));
        FailingDriver.pack(jars.resolve("driver.jar"));
        try (Databases other = Databases.named(binding(FailingDriver.PREFIX + defect, false, 3, 20_000), jars)) {
            assertThat(other.failure("UPDATE t SET a = 1"))
                    .isEqualTo(error + " java.lang.IllegalArgumentException: no " + defect);
        }
    }

    @Test
    void closedClient_runsNothing() {
        db.close();

        assertThat(db.failure("SELECT 1")).isEqualTo("08003 The function is being stopped");
    }
}
