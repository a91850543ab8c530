package io.millrace.handler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InsightTest {

    private static final class Watching extends MemoryQueries {
        final List<String> seen = new ArrayList<>();
        int total;

        @Override
        public boolean wantsInsight() {
            return true;
        }

        @Override
        public void called(int line, int times, long micros, String logged) {
            seen.add(line + (logged.isEmpty() ? "" : " " + logged));
            total += times;
        }
    }

    private final Watching host = new Watching();
    private final Fixture function = new Fixture(host);

    @Test
    void calls_areReportedWithTheirLines() {
        function.update("""
                function OnUpdate(doc, meta) {
                  b.x = 1;
                  helper(b.x);
                  var rows = SELECT 1
                    FROM x; log('end');
                  source.x = 1;
                }
                function helper(value) {
                  log(
                    value);
                }
                """, "{}");

        assertThat(host.seen).startsWith("2", "3", "9 1", "4", "5 \"end\"");
    }

    @Test
    void codeThatMeddlesWithStacks_hasItsOwnLinesWrongAtMost() {
        assertThat(function.run(
                        "Error.stackTraceLimit = 0; b.x = 1; Error.prepareStackTrace = () => 'a:99:1'; b.y = 1;"))
                .isInstanceOf(InvocationResult.Success.class);
        assertThat(host.text("b", "y")).isEqualTo("1");
    }

    @Test
    void manyCalls_areCountedByAFewOfThem() {
        function.run("for (let i = 0; i < 5000; i++) { b.x = i; }");

        assertThat(host.total).isBetween(4000, 6000);
        assertThat(host.seen.size()).isLessThan(5000);
    }

    /** What insight allocates counts against the invocation. */
    @Test
    void callsInLongCode_costNoMoreThanInShortCode() {
        String code = "/*" + "x".repeat(99).concat("\n").repeat(1200) + "*/\n"
                + "function OnUpdate(doc, meta) { for (let i = 0; i < 400; i++) { b.x = i; } }";

        assertThat(function.allocationLimit(24 << 20).update(code, "{}")).isInstanceOf(InvocationResult.Success.class);

        assertThat(host.seen).hasSize(400).containsOnly("1202");
    }
}
