package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Long statements end before they are parsed. */
class StatementLimitsTest {

    private final QueryTester tester = new QueryTester();

    @Test
    void statementOfTooManyTokens_isRefusedWithWhatToDo() {
        QueryException failure = tester.failure("SELECT RAW [" + "1,".repeat(150_000) + "1]");

        assertThat(failure.errorCode()).isEqualTo(ErrorCode.SYNTAX);
        assertThat(failure).hasMessageContaining("more than 300000 tokens; pass data as parameters");
    }

    @Test
    void commentsAreTokens() {
        assertThat(tester.failure("SELECT 1 " + "/**/".repeat(300_000)))
                .hasMessageContaining("more than 300000 tokens");
    }

    @Test
    void statementOfManyTokens_runs() {
        assertThat(tester.rows("SELECT RAW ARRAY_LENGTH([" + "1,".repeat(20_000) + "1])"))
                .containsExactly("20001");
    }
}
