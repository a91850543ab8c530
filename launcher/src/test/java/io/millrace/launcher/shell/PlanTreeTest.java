package io.millrace.launcher.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class PlanTreeTest {

    private final StringWriter out = new StringWriter();

    private boolean print(String row) {
        return new PlanTree(new PrintWriter(out)).print(StatementRun.MAPPER.readTree(row));
    }

    @Test
    void plan_isATreeWithItsCosts() {
        boolean printed = print("""
            {"plan": {"#operator": "Sort", "sort_terms": ["total DESC"],
              "optimizer_estimates": {"cardinality": 40, "cost": 12.5, "size": 3},
              "~child": {"#operator": "HashJoin",
                "~child": {"#operator": "IndexScan", "index": "by_status", "covering": true},
                "~child2": {"#operator": "Filter", "condition": "x",
                  "~children": [{"#operator": "Fetch"}, {"#operator": "Scan"}]},
                "subquery": {"#operator": "Values"}}},
             "text": "EXPLAIN SELECT 1"}\
            """);

        assertThat(printed).isTrue();
        assertThat(out.toString().lines())
                .containsExactly(
                        "Sort  sort_terms=[\"total DESC\"]  (cost=12.5 rows=40)",
                        "└─ HashJoin",
                        "   ├─ IndexScan  index=by_status  covering=true",
                        "   ├─ Filter  condition=x",
                        "   │  ├─ Fetch",
                        "   │  └─ Scan",
                        "   └─ subquery: Values");
    }

    @Test
    void figuresAndHints_areShown() {
        boolean printed = print("""
                {"optimizer_hints": {"hints_followed": ["INDEX(o i)"], "hints_not_followed": ["FAST: unknown"]},
                 "plan": {"#operator": "Filter", "#stats": {"#itemsOut": 3, "#opened": 1, "execTime": "1.200ms"},
                 "~child": {"#operator": "PrimaryScan3", "keyspace": "o"}}}
                """);

        assertThat(printed).isTrue();

        assertThat(out.toString().lines())
                .containsExactly(
                        "Filter  (3 rows in 1.200ms)",
                        "└─ PrimaryScan3  keyspace=o",
                        "hint followed: INDEX(o i)",
                        "hint not followed: FAST: unknown");
    }

    @Test
    void rowWithoutAPlan_isLeftToTheFormat() {
        assertThat(print("{\"a\":1}")).isFalse();
        assertThat(print("7")).isFalse();
        assertThat(out.toString()).isEmpty();
    }
}
