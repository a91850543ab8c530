package io.millrace.worker.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.handler.host.HostFailure;
import io.millrace.handler.host.SqlCall;
import io.millrace.handler.host.SqlCall.Answer.Changed;
import io.millrace.workerprotocol.HandlerSettings;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresIT {

    @TempDir
    private static Path directory;

    private static Path drivers = Path.of("");
    private static Postgres server;
    private static Databases db;

    private static HandlerSettings.Database binding(String user, String password, boolean readOnly, long millis) {
        return new HandlerSettings.Database("db", server.url(), user, password, readOnly, 1000, millis, 2);
    }

    private static HandlerSettings.Database binding(String host, long millis) {
        String url = server.url().replace("127.0.0.1", host);
        return new HandlerSettings.Database("db", url, "postgres", "postgres", false, 1000, millis, 2);
    }

    private static Databases connected(HandlerSettings.Database binding) {
        return new Databases(binding, List.of("127.0.0.1:" + server.port()), List.of(), drivers);
    }

    @BeforeAll
    static void start() throws Exception {
        drivers = Databases.drivers(directory.resolve("drivers"));
        server = Postgres.start(directory.resolve("data"));
        db = connected(binding("postgres", "postgres", false, 20_000));
        db.run("CREATE TABLE users (id bigint PRIMARY KEY, name text NOT NULL)");
        db.run("INSERT INTO users VALUES (1, 'Ada'), (2, 'Alan')");
        db.run("CREATE TABLE counts (n int)");
    }

    @AfterAll
    static void stop() throws Exception {
        db.close();
        server.close();
    }

    @Test
    void values_haveTheTypesOfTheirColumns() throws HostFailure {
        var row = db.rows("""
                SELECT 5::int2 AS a, 9007199254740993 AS b, 12.50::numeric AS c, 0.1::float4 AS d, true AS e, NULL::text AS f,
                  '2026-01-02T03:04:05.006+02'::timestamptz AS g, '2026-01-02T03:04:05.006'::timestamp AS h,
                  '2026-01-02'::date AS i, '03:04:05'::time AS j, '{"x": [1]}'::jsonb AS k, ARRAY[1, NULL, 3] AS l,
                  '6a2f41a3-c54c-fce8-32d2-0324e1c32e22'::uuid AS m, 'infinity'::timestamptz AS n,
                  ARRAY['{"y": 1}'::jsonb] AS o, ARRAY[ARRAY['p', 'q']] AS p, '1 day'::interval AS q,
                  ARRAY['2026-01-02T03:04:05Z'::timestamptz] AS r, ARRAY['2026-01-02T03:04:05'::timestamp] AS s, '\\x0001'::bytea AS t
                """).getFirst();

        assertThat(row.subList(0, 19))
                .isEqualTo(Arrays.asList(
                        5,
                        9_007_199_254_740_993L,
                        new BigDecimal("12.50"),
                        0.1f,
                        true,
                        null,
                        Instant.parse("2026-01-02T01:04:05.006Z"),
                        Instant.parse("2026-01-02T03:04:05.006Z"),
                        "2026-01-02",
                        "03:04:05",
                        new SqlCall.Json("{\"x\": [1]}"),
                        Arrays.asList(1, null, 3),
                        "6a2f41a3-c54c-fce8-32d2-0324e1c32e22",
                        "infinity",
                        List.of(new SqlCall.Json("{\"y\": 1}")),
                        List.of(List.of("p", "q")),
                        "1 day",
                        List.of(Instant.parse("2026-01-02T03:04:05Z")),
                        List.of(Instant.parse("2026-01-02T03:04:05Z"))));
        assertThat((byte[]) row.get(19)).containsExactly(0, 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'03:04:05.25'::time",
                "'12:00+02'::timetz",
                "'0044-03-15 BC'::date",
                "'infinity'::date",
                "'infinity'::timestamptz",
                "'-infinity'::timestamp",
                "'0001-01-01T00:00:00Z'::timestamptz",
                "'NaN'::numeric",
                "'5'::money",
                "B'101'",
                "'1 day 2 hours'::interval",
                "'0.1'::float4",
                "'[1, 2]'::json",
                "'<a/>'::xml",
                "NULL::text"
            })
    void element_isTheValueOfAColumn(String value) throws HostFailure {
        var row = db.rows("SELECT %s AS a, ARRAY[%1$s] AS b, ARRAY[ARRAY[%1$s], ARRAY[%1$s]] AS c".formatted(value))
                .getFirst();

        var one = Arrays.asList(row.getFirst());
        assertThat(row.subList(1, 3)).isEqualTo(List.of(one, List.of(one, one)));
    }

    @Test
    void numbers_haveTheTypesOfTheirLiterals() throws HostFailure {
        assertThat(db.rows(
                        "SELECT left('Millrace', ?) AS a, round(2.345, ?) AS b, '2026-01-02'::date + ? AS c, '[1,"
                                + " 2]'::jsonb -> ? AS d, round(?, 1) AS e",
                        4L,
                        2L,
                        30L,
                        1L,
                        0.25))
                .containsExactly(List.of(
                        "Mill", new BigDecimal("2.35"), "2026-02-01", new SqlCall.Json("2"), new BigDecimal("0.3")));
        assertThat(db.rows(
                        "SELECT ARRAY[pg_typeof(?), pg_typeof(?), pg_typeof(?), pg_typeof(?), pg_typeof(?)]::text[]",
                        Integer.MIN_VALUE * 1L,
                        Integer.MAX_VALUE + 1L,
                        0.5,
                        1e300,
                        BigInteger.ONE))
                .containsExactly(List.of(List.of("integer", "bigint", "numeric", "numeric", "bigint")));
        assertThat(db.rows(
                        "SELECT 1000.10::numeric - ? = 1000 AS a, sqrt(?) = 2.5 AS b, ?::float4 AS c", 0.1, 6.25, 0.1))
                .containsExactly(List.of(true, true, 0.1f));
    }

    @Test
    void array_isAListOfValues() throws HostFailure {
        assertThat(db.rows(
                        "SELECT name FROM users WHERE id IN (SELECT value::bigint FROM jsonb_array_elements_text(?))",
                        new SqlCall.Json("[2, 3]")))
                .containsExactly(List.of("Alan"));
    }

    @Test
    void parameters_takeTheTypeOfWhatTheyAreComparedWith() throws HostFailure {
        db.run("""
                CREATE TABLE things (id uuid, whole int, exact numeric(30, 2), flag boolean, at timestamptz, local timestamp,
                  day date, more jsonb, raw bytea)
                """);
        Instant at = Instant.parse("2026-01-02T03:04:05.006Z");

        assertThat(db.runNamed(
                        "INSERT INTO things VALUES (:id, :whole, :exact, :flag, :at, :at, :at, :more::jsonb, :raw)",
                        "id",
                        "6a2f41a3-c54c-fce8-32d2-0324e1c32e22",
                        "whole",
                        5L,
                        "exact",
                        new BigInteger("12345678901234567890123456"),
                        "flag",
                        true,
                        "at",
                        at,
                        "more",
                        new SqlCall.Json("{\"x\":1}"),
                        "raw",
                        new byte[] {7}))
                .isEqualTo(new Changed(1));

        var row = ((SqlCall.Answer.Rows) db.runNamed(
                        """
                SELECT whole, exact, flag, at, local, day, more FROM things
                WHERE id = :id AND more ? 'x' AND raw = :raw AND whole = :whole AND at = :at\
                """,
                        "id",
                        "6a2f41a3-c54c-fce8-32d2-0324e1c32e22",
                        "raw",
                        new byte[] {7},
                        "whole",
                        5.0,
                        "at",
                        at))
                .rows()
                .getFirst();
        assertThat(row)
                .isEqualTo(List.of(
                        5,
                        new BigDecimal("12345678901234567890123456.00"),
                        true,
                        at,
                        at,
                        "2026-01-02",
                        new SqlCall.Json("{\"x\": 1}")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'; DROP TABLE users; --",
                "Ada' OR '1'='1",
                "\\'; DROP TABLE users; --",
                "$$; DROP TABLE users; $$",
                "1; DROP TABLE users",
                "*/ DROP TABLE users /*"
            })
    void value_isNeverPartOfTheStatement(String name) throws HostFailure {
        for (String statement : List.of(
                "SELECT id FROM users WHERE name = :name",
                "SELECT id FROM users /* ' */ WHERE name = :name::text -- ' :name",
                "SELECT id FROM users WHERE E'\\'' <> $x$'$x$ AND name = :name")) {
            assertThat(db.runNamed(statement, "name", name))
                    .isEqualTo(new SqlCall.Answer.Rows(List.of("id"), List.of()));
        }
        assertThat(db.rows("SELECT count(*) FROM users")).containsExactly(List.of(2L));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "INSERT INTO users VALUES (1, 'Eve') | 23505 ERROR: duplicate key value violates unique constraint",
                "INSERT INTO users VALUES (3, NULL) | 23502 ERROR: null value in column",
                "SELECT * FROM nowhere | 42P01 ERROR: relation \"nowhere\" does not exist",
                "SELECT 1 / 0 | 22012 ERROR: division by zero",
                "SELEC 1 | 42601 ERROR: syntax error",
                "SELECT generate_series(1, 2000) AS n | 54000 The statement has more than 1000 rows, the limit of binding 'db'",
                "SELECT repeat('x', 1000000) AS x FROM generate_series(1, 20) | 54000 The rows of the statement have more",
                "SELECT ARRAY[ARRAY[repeat('x', 1000000)]] AS x FROM generate_series(1, 20) | 54000 The rows of the statement have more",
                "SELECT ARRAY(SELECT repeat('9', 1000)::numeric FROM generate_series(1, 1000)) AS x FROM generate_series(1, 20) | 54000 The rows of the statement have more"
            })
    void mistake_isAnErrorWithItsState(String statement, String error) throws HostFailure {
        assertThat(db.failure(statement)).startsWith(error);

        assertThat(db.rows("SELECT count(*) FROM users")).containsExactly(List.of(2L));
    }

    @Test
    void readOnlyBinding_refusesWritesInEveryForm() throws HostFailure {
        try (Databases reader = connected(binding("postgres", "postgres", true, 20_000))) {
            assertThat(reader.failure("INSERT INTO users VALUES (3, 'Eve')")).startsWith("25006");
            assertThat(reader.failure("WITH x AS (DELETE FROM users RETURNING id) SELECT id FROM x"))
                    .startsWith("25006");
            reader.run("SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE");
            reader.run("SET default_transaction_read_only = off");
            assertThat(reader.failure("INSERT INTO users VALUES (3, 'Eve')")).startsWith("25006");
            assertThat(reader.failure("SET TRANSACTION READ WRITE; INSERT INTO users VALUES (3, 'Eve')"))
                    .startsWith("42601");
            reader.run("COMMIT AND CHAIN");
            assertThat(reader.failure("INSERT INTO users VALUES (3, 'Eve')")).startsWith("25006");
            assertThat(reader.rows("SELECT count(*) FROM users")).containsExactly(List.of(2L));
        }
    }

    @Test
    void longStatement_isCancelledInTheDatabase() throws Exception {
        try (Databases impatient = connected(binding("postgres", "postgres", false, 500))) {
            assertThat(impatient.failure("SELECT 1 FROM pg_sleep(600) AS waiting"))
                    .isEqualTo("HYT00 The time for the statement is up; it was cancelled and changed nothing");
            await().atMost(20, TimeUnit.SECONDS)
                    .until(() -> db.rows(
                                    "SELECT 1 FROM pg_stat_activity WHERE query LIKE '%600) AS waiting' AND state = 'active'"
                                            + " AND pid <> pg_backend_pid()")
                            .isEmpty());
        }
    }

    @Test
    void stoppedInvocation_endsTheStatement() throws Exception {
        CompletableFuture<String> failure = new CompletableFuture<>();
        Thread invocation =
                Thread.ofPlatform().start(() -> failure.complete(db.failure("SELECT pg_sleep(600)::text AS x")));
        await().until(() -> !db.rows("SELECT 1 FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(600)::text%'"
                        + " AND state = 'active' AND pid <> pg_backend_pid()")
                .isEmpty());

        invocation.interrupt();

        assertThat(failure.get(2, TimeUnit.MINUTES))
                .isEqualTo("HYT00 The invocation was stopped; it was cancelled and changed nothing");
    }

    @Test
    void busyPool_isReportedWithItsSize() throws Exception {
        try (Databases small = connected(binding("postgres", "postgres", false, 5_000))) {
            List<Thread> sleepers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                sleepers.add(Thread.ofPlatform().start(() -> small.failure("SELECT 1 FROM pg_sleep(590) AS sleeper")));
            }
            await().until(() -> db.rows("SELECT pid FROM pg_stat_activity WHERE query LIKE '%590) AS sleeper'"
                                    + " AND state = 'active' AND pid <> pg_backend_pid()")
                            .size()
                    == 2);

            assertThat(small.failure("SELECT 1"))
                    .isEqualTo(
                            "08001 No connection to the database of binding 'db' within 3000 ms; if all 2 are busy, raise"
                                    + " its pool_size");
            for (Thread sleeper : sleepers) {
                sleeper.join();
            }
        }
    }

    @Test
    void missingTable_namesNoSecret_andWrongAddressIsRefusedAtOnce() {
        try (Databases other =
                new Databases(binding("postgres", "s3cret", false, 5_000), List.of(), List.of(), drivers)) {
            long begin = System.nanoTime();
            assertThat(other.failure("SELECT 1"))
                    .isEqualTo(
                            "28000 Binding 'db': the address of 127.0.0.1 may not be called by functions: it is private,"
                                    + " and MILLRACE_SQL_ALLOWED does not name 127.0.0.1");
            assertThat(System.nanoTime() - begin).isLessThan(2_000_000_000L);
        }
    }

    @Test
    void nameWithPublicAddressAtTheCheck_andPrivateOneAtTheConnection_isRefused() {
        RebindingNames.answer("93.184.216.34", "127.0.0.1");
        try (Databases other = new Databases(binding(RebindingNames.NAME, 5_000), List.of(), List.of(), drivers)) {
            assertThat(other.failure("SELECT 1"))
                    .isEqualTo(
                            "28000 No connection to the database of binding 'db': the address of rebinding.test may not"
                                    + " be called by functions: it is private, and MILLRACE_SQL_ALLOWED does not name"
                                    + " rebinding.test");
        }
    }

    @Test
    void namedHost_mayBePrivate() throws HostFailure {
        RebindingNames.answer("127.0.0.1");
        try (Databases other =
                new Databases(binding(RebindingNames.NAME, 20_000), List.of(RebindingNames.NAME), List.of(), drivers)) {
            assertThat(other.rows("SELECT 1 AS one")).containsExactly(List.of(1));
        }
    }

    @Test
    void nameThatIsUnknownAtTheConnection_isReported() {
        RebindingNames.answer("127.0.0.1", RebindingNames.UNKNOWN);
        try (Databases other =
                new Databases(binding(RebindingNames.NAME, 5_000), List.of(RebindingNames.NAME), List.of(), drivers)) {
            assertThat(other.failure("SELECT 1"))
                    .isEqualTo("08001 No connection to the database of binding 'db': the host rebinding.test of the"
                            + " database cannot be resolved");
        }
    }

    @Test
    void killedServer_failsStatements_andIsUsedAgainWhenItIsBack() throws Exception {
        db.run("DELETE FROM counts");
        int done = 0;
        for (int i = 0; i < 20; i++) {
            db.run("INSERT INTO counts VALUES (?)", (long) i);
            done++;
        }

        server.kill();
        List<String> failures =
                List.of(db.failure("INSERT INTO counts VALUES (100)"), db.failure("INSERT INTO counts VALUES (101)"));
        server.restart();

        assertThat(failures).allMatch(failure -> failure.startsWith("08") || failure.startsWith("57P"));
        await().atMost(30, TimeUnit.SECONDS).ignoreExceptions().until(() -> {
            db.run("INSERT INTO counts VALUES (?)", 20L);
            return true;
        });
        assertThat(db.rows("SELECT count(*), max(n) FROM counts")).containsExactly(List.of(done + 1L, 20));
    }
}
