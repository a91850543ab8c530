package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.millrace.n1ql.expression.ExprCompiler;
import io.millrace.n1ql.plan.QueryPlanner;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Place;
import io.millrace.n1ql.value.Value;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Constants are computed once, when a statement is compiled, and each part is compiled once. */
class ConstantsTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    private final QueryTester tester = new QueryTester();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "1+      | 60 | 1  | ~~ | 61",
                "UPPER(  | 60 | 'a' | )  | \"A\"",
                "NOT (   | 60 | TRUE | ) | true",
                "[       | 60 | 1  | ][0] | 1",
                "{'a':   | 60 | {'b': 1} | }.a | {\"b\":1}",
            })
    void deepConstant_isCompiledInTime(String begin, int depth, String inner, String end, String json) {
        String constant = begin.strip().repeat(depth) + inner + end.repeat(depth);

        List<String> rows = assertTimeoutPreemptively(SOON, () -> tester.rows("SELECT RAW " + constant));

        assertThat(rows).containsExactly(json);
    }

    @Test
    void deepJson_isCompiledInTime() {
        String json = "{\"a\":[".repeat(30) + "1" + "]}".repeat(30);

        assertThat(assertTimeoutPreemptively(SOON, () -> tester.rows("SELECT RAW " + json)))
                .containsExactly(json);
    }

    @Test
    void constant_isFoldedAndOthersAreNot() {
        Expr one = new Expr.Literal(Value.of(1));
        Expr two = operation(one, one);

        assertThat(constant(new Expr.ArrayLiteral(List.of(two, two)))).hasToString("[2,2]");
        assertThat(constant(call("upper", new Expr.Literal(Value.of("a"))))).isEqualTo(Value.of("A"));
        assertThat(constant(operation(one, new Expr.Param("p", Place.NONE)))).isNull();
        assertThat(constant(call("random"))).isNull();
    }

    private static @Nullable Value constant(Expr expr) {
        return new ExprCompiler(QueryPlanner.ROOT, (query, blocks) -> frame -> Value.NULL).constant(expr);
    }

    private static Expr operation(Expr... args) {
        return new Expr.Operation(Expr.Op.ADD, List.of(args), Place.NONE);
    }

    private static Expr call(String name, Expr... args) {
        return new Expr.Call(name, List.of(args), false, false, null, null, Place.NONE);
    }
}
