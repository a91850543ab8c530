package io.millrace.worker.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.handler.host.HostFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatementTextTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '%',
            value = {
                "SELECT :a, :b, :a | SELECT ?, ?, ? | [a, b, a]",
                "SELECT :a::int, '2'::text | SELECT ?::int, '2'::text | [a]",
                "SELECT ':a', \":a\", :b | SELECT ':a', \":a\", ? | [b]",
                "SELECT 'it''s :a', :b | SELECT 'it''s :a', ? | [b]",
                "SELECT 'c:\\', :b | SELECT 'c:\\', ? | [b]",
                "SELECT E'it\\'s :a', :b | SELECT E'it\\'s :a', ? | [b]",
                "SELECT nameE'\\', :b | SELECT nameE'\\', ? | [b]",
                "SELECT $$ :a ' $$, :b | SELECT $$ :a ' $$, ? | [b]",
                "SELECT $x$ :a $$ ' $x$, :b | SELECT $x$ :a $$ ' $x$, ? | [b]",
                "SELECT a$b$ , :b , c$b$ | SELECT a$b$ , ? , c$b$ | [b]",
                "SELECT /* :a /* :c */ ' */ :b | SELECT /* :a /* :c */ ' */ ? | [b]",
                "SELECT :b -- it's :a | SELECT ? -- it's :a | [b]",
                "SELECT tags[1:2], x[:a] | SELECT tags[1:2], x[?] | [a]",
                "SELECT more ? 'k' AND more ?& :a | SELECT more ?? 'k' AND more ??& ? | [a]",
                "SELECT :späť_1; -- end | SELECT ?; -- end | [späť_1]",
                "SELECT 'open :a | SELECT 'open :a | []",
                "SELECT 1 : | SELECT 1 : | []"
            })
    void names_becomeMarksOutsideOfQuotesAndComments(String line, String text, String names) throws HostFailure {
        StatementText read = StatementText.of(line, true, Dialect.POSTGRESQL);

        assertThat(read.text()).isEqualTo(text);
        assertThat(read.names()).hasToString(names);
        assertThat(read.marks()).isZero();
    }

    @Test
    void marks_areCountedOutsideOfQuotesAndComments() throws HostFailure {
        StatementText read = StatementText.of("SELECT ?, '?', more ?? 'k', :a /* ? */", false, Dialect.POSTGRESQL);

        assertThat(read.text()).isEqualTo("SELECT ?, '?', more ?? 'k', :a /* ? */");
        assertThat(read.marks()).isEqualTo(1);
    }

    @Test
    void otherDatabases_haveNoNestedCommentsAndNoDollarQuotes() throws HostFailure {
        assertThat(StatementText.of("SELECT /* /* */ :a, $$ :b $$, `:c`", true, Dialect.SQLITE)
                        .names())
                .containsExactly("a", "b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT 1; SELECT 2", "SELECT ';';;", "COMMIT;/* */INSERT INTO t", "SELECT 1; 'x'"})
    void secondStatement_isRefused(String statement) {
        assertThatThrownBy(() -> StatementText.of(statement, true, Dialect.POSTGRESQL))
                .isInstanceOfSatisfying(
                        HostFailure.class, e -> assertThat(e.name()).isEqualTo("42601"));
    }
}
