package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.Value;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Window functions over frames of many rows. */
class WindowFramesTest {

    private static final int ROWS = 500;

    private final QueryTester tester = new QueryTester();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SUM(v) | ROWS BETWEEN 50 PRECEDING AND 60 FOLLOWING | ARRAY_SUM($v[low:high])",
                "AVG(v) | ROWS BETWEEN 50 PRECEDING AND 60 FOLLOWING | ARRAY_AVG($v[low:high])",
                "MIN(v) | ROWS BETWEEN 50 PRECEDING AND 60 FOLLOWING | ARRAY_MIN($v[low:high])",
                "MAX(v) | RANGE BETWEEN 50 PRECEDING AND 60 FOLLOWING | ARRAY_MAX($v[low:high])",
                "COUNT(v) | GROUPS BETWEEN 50 PRECEDING AND 60 FOLLOWING | ARRAY_COUNT($v[low:high])",
                "COUNT(*) | ROWS BETWEEN 50 PRECEDING AND 60 FOLLOWING | ARRAY_LENGTH($v[low:high])",
                "COUNTN(v) | ROWS BETWEEN 50 PRECEDING AND 60 FOLLOWING | ARRAY_COUNT($v[low:high])",
                "SUM(v) FILTER (WHERE v < 500) | ROWS BETWEEN 50 PRECEDING AND 60 FOLLOWING"
                        + " | ARRAY_SUM(ARRAY x FOR x IN $v[low:high] WHEN x < 500 END)",
                "SUM(v) | ROWS BETWEEN 50 PRECEDING AND 60 FOLLOWING EXCLUDE CURRENT ROW"
                        + " | ARRAY_SUM(ARRAY_CONCAT($v[low:i], $v[i + 1:high]))",
                "MAX(v) | ROWS BETWEEN 50 PRECEDING AND 60 FOLLOWING EXCLUDE GROUP"
                        + " | ARRAY_MAX(ARRAY_CONCAT($v[low:i], $v[i + 1:high]))",
                "MIN(v) | ROWS BETWEEN 50 PRECEDING AND 60 FOLLOWING EXCLUDE TIES | ARRAY_MIN($v[low:high])",
                "NTH_VALUE(v, 40) | ROWS BETWEEN 50 PRECEDING AND 60 FOLLOWING"
                        + " | CASE WHEN high - low < 40 THEN NULL ELSE $v[low + 39] END",
                "LAST_VALUE(v) | ROWS BETWEEN 50 PRECEDING AND 60 FOLLOWING | $v[high - 1]",
                "COUNT(DISTINCT v) | ROWS BETWEEN 50 PRECEDING AND 60 FOLLOWING"
                        + " | ARRAY_COUNT(ARRAY_DISTINCT($v[low:high]))",
            })
    void frame_hasTheRowsBetweenItsBounds(String function, String frame, String expected) {
        Random random = new Random(7);
        Value values = ArrayValue.of(IntStream.range(0, ROWS)
                .mapToObj(i -> i % 9 == 0 ? Value.NULL : Value.of((long) random.nextInt(1000)))
                .toList());
        String statement = ("SELECT RAW COUNT(*) FROM (SELECT i, " + function.replaceAll("\\bv\\b", "\\$v[i]")
                + " OVER (ORDER BY i " + frame + ") AS found FROM ARRAY_RANGE(0, " + ROWS + ") AS i) w"
                + " LET i = w.i, low = GREATEST(0, w.i - 50), high = LEAST(" + ROWS + ", w.i + 61)"
                + " WHERE w.found IS NOT DISTINCT FROM " + expected);

        assertThat(tester.rows(statement, QueryOptions.DEFAULT.withNamed(Map.of("v", values))))
                .containsExactly(String.valueOf(ROWS));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "MAX(i) OVER (ORDER BY i ROWS BETWEEN 50000 PRECEDING AND CURRENT ROW)",
                "SUM(i) OVER (ORDER BY i RANGE BETWEEN 50000 PRECEDING AND 50000 FOLLOWING)",
                "COUNT(*) OVER (ORDER BY i GROUPS BETWEEN 50000 PRECEDING AND 1 PRECEDING)",
                "AVG(i) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW)",
                "RATIO_TO_REPORT(i) OVER ()",
                "NTH_VALUE(i, 90000) OVER ()",
                "LAG(i, 50000) OVER (ORDER BY i)",
            })
    void wideFrame_isNotReadForEachRow(String call) {
        String statement = "SELECT RAW COUNT(*) FROM (SELECT " + call + " AS x FROM ARRAY_RANGE(0, 100000) AS i) w";

        assertTimeoutPreemptively(
                Duration.ofSeconds(20), () -> assertThat(tester.rows(statement)).containsExactly("100000"));
    }
}
