package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.millrace.n1ql.DocumentCondition.Result;
import io.millrace.n1ql.value.Json;
import io.millrace.n1ql.value.Value;
import java.time.Duration;
import java.util.Collections;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentConditionTest {

    private static final String ORDER =
            "{\"type\": \"order\", \"total\": 120, \"d\": {\"x\": 1}, \"items\": [{\"n\": 1}, {\"n\": 3}], \"nothing\": null}";
    private static final String META = "{\"id\": \"eu:7\", \"deleted\": false, \"xattrs\": {\"source\": \"shop\"}}";

    private static Value value(String json) {
        return Objects.requireNonNull(Json.parse(json));
    }

    private static Result test(String condition, Value document) {
        return DocumentCondition.of(condition).test(document, () -> value(META));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "type = 'order' AND total > 100 | TRUE",
                "type = 'invoice' | FALSE",
                "absent = 1 | UNKNOWN",
                "absent = 1 OR total = 120 | TRUE",
                "nothing = 1 | UNKNOWN",
                "absent IS MISSING | TRUE",
                "d.x = 1 | TRUE",
                "SELF.d.x = 1 | TRUE",
                "ANY i IN items SATISFIES i.n = 3 END | TRUE",
                "META().id LIKE 'eu:%' | TRUE",
                "META().xattrs.source = 'shop' AND NOT META().deleted | TRUE",
                "total | TRUE",
                "LOWER(type) = 'ORDER' | FALSE",
                "total > 100 -- only large ones | TRUE",
            })
    void condition_hasThreeResults(String condition, Result expected) {
        assertThat(test(condition, value(ORDER))).isEqualTo(expected);
    }

    @Test
    void documentWithoutABody_isUnknownUnlessMetaDecides() {
        assertThat(test("type = 'order'", Value.MISSING)).isEqualTo(Result.UNKNOWN);
        assertThat(test("type = 'order' AND META().id LIKE 'us:%'", Value.MISSING))
                .isEqualTo(Result.FALSE);
    }

    @Test
    void meta_isAskedForOnlyIfItIsNeeded() {
        Result result = DocumentCondition.of("total = 120").test(value(ORDER), () -> {
            throw new AssertionError("not needed");
        });

        assertThat(result).isEqualTo(Result.TRUE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "total > | 1 | 8 | end of input",
                "total > 100) OR (1 = 1 | 1 | 12 | no bracket is open",
                "(total > 100 | 1 | 13 | the ( at line 1, column 1 is not closed",
                "total > 100 LIMIT 3 | 1 | 13 | LIMIT",
                "SELECT 1 | 1 | 1 | SELECT",
                "LOWR(type) = 'x' | 1 | 1 | did you mean LOWER?",
                "total > 1 AND NOW_MILLIS() > 1 | 1 | 15 | now_millis()",
            })
    void mistake_isReportedWithItsPlaceInTheCondition(String condition, int line, int column, String message) {
        assertThatThrownBy(() -> DocumentCondition.of(condition))
                .isInstanceOfSatisfying(QueryException.class, error -> {
                    assertThat(error.getMessage()).contains(message);
                    assertThat(error.line()).as(error.getMessage()).isEqualTo(line);
                    assertThat(error.column()).as(error.getMessage()).isEqualTo(column);
                });
    }

    @Test
    void mistakeInALaterLine_isReportedWithThatLine() {
        assertThatThrownBy(() -> DocumentCondition.of("total > 1\nAND tpye = = 2"))
                .isInstanceOfSatisfying(
                        QueryException.class, error -> assertThat(error.line()).isEqualTo(2));
    }

    @Test
    void oldState_isAFieldOfMeta() {
        assertThat(DocumentCondition.of("total > 100 AND META().old.total <= 100")
                        .readsOld())
                .isTrue();
        assertThat(DocumentCondition.of("old.total > META().id AND META().xattrs.old = 1")
                        .readsOld())
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({"$limit < total, a parameter", "EXISTS (SELECT 1 FROM x), a subquery", "COUNT(*) > 1, count"})
    void whatADocumentDoesNotHave_isRefused(String condition, String what) {
        assertThatThrownBy(() -> DocumentCondition.of(condition)).hasMessageContaining(what);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "EVERY a IN list SATISFIES (EVERY b IN list SATISFIES (EVERY c IN list SATISFIES a + b + c >= 0 END) END) END",
                "REGEXP_CONTAINS(text, '((a{0,9}){0,99})*b')",
            })
    void conditionThatTakesLong_failsAfterItsTime(String text) {
        DocumentCondition condition = DocumentCondition.of(text);
        Value document =
                value("{\"list\": %s, \"text\": \"%s\"}".formatted(Collections.nCopies(2000, 1), "a".repeat(100_000)));

        assertThatThrownBy(() -> assertTimeoutPreemptively(
                        Duration.ofSeconds(20), () -> condition.test(document, () -> Value.MISSING)))
                .isInstanceOfSatisfying(
                        QueryException.class,
                        error -> assertThat(error.errorCode()).isEqualTo(ErrorCode.TIMEOUT));
    }
}
