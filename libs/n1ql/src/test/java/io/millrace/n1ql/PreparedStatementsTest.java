package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.n1ql.keyspace.StatementRights;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Who may give a text to the name of a prepared statement, and how much all may hold. */
class PreparedStatementsTest {

    private final QueryTester tester = new QueryTester();

    @Test
    void generatedName_isForItsOwnTextOnly() {
        String text = "SELECT RAW 1";
        String name =
                UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)).toString();

        assertThat(tester.failure("PREPARE `" + name + "` FROM SELECT RAW 2"))
                .hasMessageContaining("has the form of a generated name and belongs to another text");
        assertThat(tester.failure("PREPARE FORCE `" + name + "` FROM SELECT RAW 2", as("eve")))
                .hasMessageContaining("has the form of a generated name");
        assertThat(tester.rows("PREPARE " + text)).singleElement().asString().contains(name);
        tester.rows("PREPARE `" + name + "` FROM " + text);
        assertThat(tester.rows("EXECUTE `" + name + "`")).containsExactly("1");
    }

    @Test
    void force_ofAnotherUser_isRefused() {
        tester.rows("PREPARE p FROM SELECT RAW 1", as("anna"));

        QueryException failure = tester.failure("PREPARE FORCE p FROM SELECT RAW 2", as("eve"));

        assertThat(failure.errorCode()).isEqualTo(ErrorCode.NO_CREDENTIALS);
        assertThat(failure).hasMessageContaining("prepared statement p").hasMessageContaining("query_system_catalog");
        assertThat(tester.rows("EXECUTE p", as("anna"))).containsExactly("1");
    }

    @Test
    void force_ofTheSameUserOrOneWhoMayDeleteIt_replaces() {
        tester.rows("PREPARE p FROM SELECT RAW 1", as("anna"));

        tester.rows("PREPARE FORCE p FROM SELECT RAW 2", as("anna"));
        assertThat(tester.rows("EXECUTE p", as("anna"))).containsExactly("2");
        tester.rows("PREPARE FORCE p FROM SELECT RAW 3"); // with all rights
        assertThat(tester.rows("EXECUTE p", as("anna"))).containsExactly("3");
    }

    @Test
    void statementThatTwoUsersHavePrepared_isReplacedByNeither() {
        tester.rows("PREPARE p FROM SELECT RAW 1", as("eve"));
        tester.rows("PREPARE p FROM SELECT RAW 1", as("anna"));

        QueryException failure = tester.failure("PREPARE FORCE p FROM SELECT RAW 2", as("eve"));

        assertThat(failure.errorCode()).isEqualTo(ErrorCode.NO_CREDENTIALS);
    }

    @Test
    void usersThatAreNotKnown_areNotTheSame() {
        tester.rows("PREPARE p FROM SELECT RAW 1", as(""));

        assertThat(tester.failure("PREPARE FORCE p FROM SELECT RAW 2", as("")).errorCode())
                .isEqualTo(ErrorCode.NO_CREDENTIALS);
    }

    @Test
    void longText_isNotPrepared() {
        QueryException failure = tester.failure("PREPARE p FROM SELECT RAW '" + "x".repeat(64 << 10) + "'");

        assertThat(failure).hasMessageContaining("at most 65536 characters (MAX_PREPARED_LENGTH)");
    }

    @Test
    void manyTexts_areRefused_untilSomeAreDeleted() {
        String text = " FROM SELECT RAW '" + "x".repeat(60_000) + "'";
        int fit = (16 << 20) / 60_100;
        for (int i = 0; i < fit; i++) {
            tester.rows("PREPARE p" + i + text);
        }

        assertThat(tester.failure("PREPARE q" + text)).hasMessageContaining("16777216 characters (MAX_PREPARED_TOTAL)");
        tester.rows("PREPARE FORCE p0" + text.replace('x', 'y'));
        tester.rows("DELETE FROM system:prepareds WHERE name = 'p1'");
        tester.rows("PREPARE q" + text);
    }

    private static QueryOptions as(String user) {
        return QueryOptions.DEFAULT.withRights(new Reader(user));
    }

    /** May do everything but what tables of the system are needed for. */
    private static final class Reader extends StatementRights.All {

        private final String name;

        Reader(String name) {
            this.name = name;
        }

        @Override
        public boolean allowsSystem() {
            return false;
        }

        @Override
        public User user() {
            return new User("local", name, "", List.of());
        }
    }
}
