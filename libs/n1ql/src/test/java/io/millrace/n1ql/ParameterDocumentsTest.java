package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.n1ql.value.Json;
import io.millrace.n1ql.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A parameter in FROM: a text names a keyspace, an array has the documents themselves. */
class ParameterDocumentsTest {

    private static final String DOCS =
            "[{\"id\": \"a\", \"n\": 1}, {\"id\": \"b\", \"n\": 2}, {\"id\": \"c\", \"n\": 3}]";

    private final QueryTester tester = new QueryTester();

    @BeforeEach
    void keyspace() {
        tester.keyspace("orders", "a", "{\"n\": 10}", "z", "{\"n\": 26}");
    }

    private List<String> rows(String statement, String docs) {
        Value value = Objects.requireNonNull(Json.parse(docs.getBytes(StandardCharsets.UTF_8)));
        return tester.rows(statement, QueryOptions.DEFAULT.withNamed("docs", value));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "SELECT RAW d.n FROM $docs AS d WHERE d.n > 1 ORDER BY d.n DESC | [3, 2]",
                "SELECT RAW docs.id FROM $docs | [\"a\", \"b\", \"c\"]",
                "SELECT RAW COUNT(*) FROM $docs d | [3]",
                "SELECT DISTINCT RAW d.n % 2 FROM $docs d ORDER BY d.n % 2 | [0, 1]",
                "SELECT RAW o.n + d.n FROM $docs d JOIN orders o ON META(o).id = d.id | [11]",
                "SELECT RAW d.id FROM orders o JOIN $docs d ON META(o).id = d.id | [\"a\"]",
                "SELECT RAW d.n FROM $docs d LIMIT 1 | [1]",
            })
    void array_isRead(String statement, String expected) {
        assertThat(rows(statement, DOCS).toString()).isEqualTo(expected);
    }

    @Test
    void object_isOneDocument_andTextIsAKeyspace() {
        assertThat(rows("SELECT RAW d.n FROM $docs d", "{\"n\": 5}")).containsExactly("5");
        assertThat(rows("SELECT RAW d.n FROM $docs d ORDER BY d.n", "\"orders\""))
                .containsExactly("10", "26");
        assertThat(rows("SELECT RAW COUNT(*) FROM $docs d", "\"orders\"")).containsExactly("2");
        assertThatThrownBy(() -> rows("SELECT RAW d.n FROM $docs d", "5")).hasMessageContaining("$docs");
    }

    @Test
    void samePlan_servesBothKindsOfValues() {
        tester.rows("CREATE INDEX by_n ON orders(n)");
        String statement = "SELECT RAW d.n FROM $docs d WHERE d.n >= 3 ORDER BY d.n";

        assertThat(rows(statement, "\"orders\"")).containsExactly("10", "26");
        assertThat(rows(statement, DOCS)).containsExactly("3");
        assertThat(rows(statement, "\"orders\"")).containsExactly("10", "26");
    }

    @Test
    void array_isInsertedAndMerged() {
        rows("UPSERT INTO orders (KEY d.id, VALUE {\"n\": d.n}) SELECT d FROM $docs AS d", DOCS);
        rows(
                "MERGE INTO orders t USING $docs AS d ON KEY d.id WHEN MATCHED THEN UPDATE SET t.n = t.n + d.n"
                        + " WHEN NOT MATCHED THEN INSERT {\"n\": 0}",
                "[{\"id\": \"a\", \"n\": 100}, {\"id\": \"new\", \"n\": 1}]");

        assertThat(tester.rows("SELECT META().id, n FROM orders ORDER BY META().id"))
                .containsExactly(
                        "{\"id\":\"a\",\"n\":101}",
                        "{\"id\":\"b\",\"n\":2}",
                        "{\"id\":\"c\",\"n\":3}",
                        "{\"id\":\"new\",\"n\":0}",
                        "{\"id\":\"z\",\"n\":26}");
    }

    @Test
    void array_cannotBeChanged() {
        assertThatThrownBy(() -> rows("UPDATE $docs d SET d.n = 1", DOCS)).hasMessageContaining("$docs");
        assertThatThrownBy(() -> rows("DELETE FROM $docs d", DOCS)).hasMessageContaining("$docs");
    }

    @Test
    void updateStatistics_isAcceptedWithANote() {
        try (Rows rows = tester.engine().execute("UPDATE STATISTICS FOR orders(n, `m`)", QueryOptions.DEFAULT)) {
            assertThat(rows.next()).isNull();
            assertThat(rows.warnings())
                    .singleElement()
                    .satisfies(warning -> assertThat(warning.getMessage()).contains("has no effect"));
        }
        assertThat(tester.failure("UPDATE STATISTICS SET").code()).isEqualTo(3000);
        tester.keyspace("statistics", "k", "{}");
        tester.rows("UPDATE statistics SET n = 1");
        assertThat(tester.rows("SELECT RAW n FROM statistics")).containsExactly("1");
    }
}
