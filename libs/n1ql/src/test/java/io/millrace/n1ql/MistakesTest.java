package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the engine says to common mistakes. */
class MistakesTest {

    private static final long SEED = 20;
    private static final int CUT_EVERY = 11;

    private static final List<String> VALID = List.of(
            "SELECT DISTINCT a.b, COUNT(*) AS n FROM orders a JOIN orders b ON a.x = b.x WHERE a.c LIKE 'x%' GROUP BY a.b"
                    + " HAVING COUNT(*) > 1 ORDER BY n DESC LIMIT 10 OFFSET 5",
            "SELECT RAW o FROM orders AS o UNNEST o.lines AS l WHERE ANY v IN o.s SATISFIES v BETWEEN 1 AND 2 END",
            "SELECT CASE WHEN a IS NOT MISSING THEN 1 ELSE 2 END FROM orders UNION ALL SELECT 1",
            "INSERT INTO orders (KEY, VALUE) VALUES (\"k\", {\"a\": [1, 2]}) RETURNING META().id",
            "UPDATE orders USE KEYS \"a\" SET b = 2 WHERE c = 3 RETURNING *",
            "DELETE FROM orders WHERE a = 1 LIMIT 2",
            "CREATE INDEX by_a ON orders(a, b DESC) WHERE c = 1");

    private final QueryTester tester = new QueryTester();

    @BeforeEach
    void keyspace() {
        tester.keyspace("orders");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "SELEC 1 | 1 | at: SELEC; did you mean SELECT?",
                "SELECT * FORM t | 10 | at: FORM; did you mean FROM?",
                "SELECT * FROM t WHER n = 1 | 22 | at: n; did you mean WHERE instead of WHER?",
                "SELECT * FROM t GROUP YB n | 23 | at: YB; did you mean BY?",
                "SELECT \"abc | 8 | the string is not closed; add \" at its end, and write a \" within it twice",
                "SELECT `abc | 8 | the name is not closed; add ` at its end",
                "SELECT 1 /* x | 10 | the comment is not closed; add */ at its end",
                "SELECT (1 + 2 | 14 | at: end of input; the ( at line 1, column 8 is not closed; expected \")\" or an operator",
                "SELECT 1) | 9 | at: ); no bracket is open; expected",
                "SELECT CASE WHEN a THEN 1 | 26 | the CASE at line 1, column 8 is not closed; expected END",
                "SELECT order FROM t | 8 | at: order (reserved word); if it is a name, put it in backticks: `order`",
                "SELECT * FROM | 14 | at: end of input; expected an expression",
                "DELETE orders | 8 | at: orders; expected FROM",
                "HELLO | 1 | at: HELLO; expected SELECT, INSERT",
                "SELECT SUBTR(\"a\", 1) | 8 | Invalid function subtr (resolving to default:subtr); did you mean SUBSTR?",
                "SELECT * FROM travel-sample | 15 | put it in backticks: `travel-sample`",
                "SELECT * FROM orders WHERE COUNT(*) > 1 | 28 | write the condition in HAVING",
                "SELECT META().id | 8 | META() needs a document, and the query has no FROM",
                "SELECT META().id FROM orders a, orders b | 8 | META(a) or META(b)",
                "SELECT name | 8 | the query has no FROM; a string needs quotation marks",
                "SELECT x FROM orders a, orders b | 8 | write the alias of one before the field, a.x",
            })
    void mistake_saysWhereAndWhatIsMeant(String statement, int column, String said) {
        QueryException failure = tester.failure(statement);

        assertThat(failure.getMessage()).contains(said);
        assertThat(failure.column()).isEqualTo(column);
        assertThat(failure.excerpt(statement)).contains(statement + "\n" + " ".repeat(column - 1) + "^");
    }

    @Test
    void unknownKeyspace_namesTheOneThatIsMeant() {
        assertThat(tester.failure("SELECT * FROM orderz").getMessage())
                .endsWith("default:orderz; did you mean default:orders?");
        assertThat(tester.failure("SELECT * FROM customers").getMessage()).endsWith("default:customers");
    }

    @Test
    void misspelledKeyword_isFoundInEachStatement() {
        Random random = new Random(SEED);
        List<String> missed = new ArrayList<>();
        for (String valid : VALID) {
            String[] words = valid.split(" ");
            for (int i = 0; i < words.length; i++) {
                if (words[i].matches("[A-Z]{4,}")) {
                    String[] wrong = words.clone();
                    int at = 1 + random.nextInt(words[i].length() - 2);
                    wrong[i] = words[i].substring(0, at) + words[i].substring(at + 1);
                    String said = said(String.join(" ", wrong));
                    if (!said.matches(".*; did you mean " + words[i] + "( instead of " + wrong[i] + ")?\\?.*")) {
                        missed.add(String.join(" ", wrong) + " -> " + said);
                    }
                }
            }
        }

        assertThat(missed).isEmpty();
    }

    @Test
    void textThatIsCutAnywhere_hasAPlaceWithinIt() {
        for (String valid : VALID) {
            for (int end = 1; end < valid.length(); end += CUT_EVERY) {
                String cut = valid.substring(0, end);
                try {
                    tester.engine().prepare(cut);
                } catch (QueryException e) {
                    assertThat(e.code()).as(cut + ": " + e.getMessage()).isBetween(3000, 4999);
                    assertThat(e.column()).as(cut).isBetween(1, end + 1);
                }
            }
        }
    }

    private String said(String statement) {
        try {
            tester.engine().prepare(statement);
            return "nothing";
        } catch (QueryException e) {
            return e.getMessage();
        }
    }
}
