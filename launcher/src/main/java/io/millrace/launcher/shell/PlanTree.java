package io.millrace.launcher.shell;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Prints the output of EXPLAIN as a tree: one operator on a line, its inputs below it. */
public final class PlanTree {

    private static final String OPERATOR = "#operator";
    private static final String ESTIMATES = "optimizer_estimates";
    /** What EXPLAIN ANALYZE measured. */
    private static final String FIGURES = "#stats";

    private static final int LONGEST_VALUE_CHARS = 120;

    private final PrintWriter out;

    public PlanTree(PrintWriter out) {
        this.out = out;
    }

    /** Prints the plan of a row of EXPLAIN; returns false if the row has none. */
    public boolean print(JsonNode row) {
        JsonNode plan = row.path("plan");
        if (!plan.has(OPERATOR)) {
            return false;
        }
        operator(plan, "", "");
        hints(row, "hints_followed", "followed: ");
        hints(row, "hints_not_followed", "not followed: ");
        return true;
    }

    private void hints(JsonNode row, String field, String label) {
        row.path("optimizer_hints").path(field).forEach(hint -> out.println("hint " + label + shortened(hint)));
    }

    private void operator(JsonNode operator, String first, String further) {
        StringBuilder line = new StringBuilder(first);
        line.append(operator.path(OPERATOR).asString(""));
        List<Map.Entry<String, JsonNode>> inputs = new ArrayList<>();
        for (Map.Entry<String, JsonNode> field : operator.properties()) {
            String name = field.getKey();
            JsonNode value = field.getValue();
            if (isOperator(value)) {
                inputs.add(field);
            } else if (value.isArray() && !value.isEmpty() && isOperator(value.get(0))) {
                value.forEach(each -> inputs.add(Map.entry(name, each)));
            } else if (name.equals(ESTIMATES)) {
                line.append(estimates(value));
            } else if (name.equals(FIGURES)) {
                line.append("  (")
                        .append(value.path("#itemsOut").asLong())
                        .append(" rows in ")
                        .append(value.path("execTime").asString(""))
                        .append(')');
            } else if (!name.equals(OPERATOR)) {
                line.append("  ").append(name).append('=').append(shortened(value));
            }
        }
        out.println(line);
        for (int i = 0; i < inputs.size(); i++) {
            boolean last = i == inputs.size() - 1;
            String label =
                    inputs.get(i).getKey().startsWith("~") ? "" : inputs.get(i).getKey() + ": ";
            operator(
                    inputs.get(i).getValue(),
                    further + (last ? "└─ " : "├─ ") + label,
                    further + (last ? "   " : "│  "));
        }
    }

    private static boolean isOperator(JsonNode value) {
        return value.isObject() && value.has(OPERATOR);
    }

    /** Returns {@code (cost=12.5 rows=40)} with what is known of it. */
    private static String estimates(JsonNode estimates) {
        List<String> known = new ArrayList<>();
        if (estimates.has("cost")) {
            known.add("cost=" + estimates.path("cost"));
        }
        if (estimates.has("cardinality")) {
            known.add("rows=" + estimates.path("cardinality"));
        }
        return known.isEmpty() ? "" : "  (" + String.join(" ", known) + ")";
    }

    private static String shortened(JsonNode value) {
        String text = Cells.printable(Cells.text(value));
        return text.length() <= LONGEST_VALUE_CHARS ? text : text.substring(0, LONGEST_VALUE_CHARS - 3) + "...";
    }
}
