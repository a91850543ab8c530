package io.millrace.launcher.shell;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Prints rows in columns. The first rows are held back to find the columns and their widths; later rows follow in the same
 * columns, and a row with a further field begins another table. So a result of any size takes the memory of its first rows.
 */
final class GridPrinter implements RowPrinter {

    private static final int HELD_BACK_ROWS = 1_000;
    private static final int WIDEST_COLUMN_CHARS = 60;
    private static final int NARROWEST_COLUMN_CHARS = 8;

    private final PrintWriter out;
    private final GridStyle style;
    private final int screenWidth;
    private final List<JsonNode> held = new ArrayList<>();
    private List<String> columns = List.of();
    private int[] widths = {};
    private boolean[] numbers = {};

    /**
     * Prints to {@code out}.
     *
     * @param screenWidth the width that columns are made narrower for; 0 for any
     */
    GridPrinter(PrintWriter out, GridStyle style, int screenWidth) {
        this.out = out;
        this.style = style;
        this.screenWidth = screenWidth;
    }

    @Override
    public void row(JsonNode row) {
        if (columns.isEmpty()) {
            held.add(row);
            if (held.size() == HELD_BACK_ROWS) {
                release();
            }
        } else if (columns.containsAll(RowPrinter.columns(row))) {
            print(row);
        } else {
            bottom();
            out.println();
            columns = List.of();
            held.add(row);
        }
    }

    @Override
    public void end() {
        release();
        bottom();
    }

    private void release() {
        if (held.isEmpty()) {
            return;
        }
        Set<String> names = new LinkedHashSet<>();
        held.forEach(row -> names.addAll(RowPrinter.columns(row)));
        columns = names.isEmpty() ? List.of(ONLY_COLUMN) : List.copyOf(names); // all rows are {}
        numbers = new boolean[columns.size()];
        for (int i = 0; i < numbers.length; i++) {
            String column = columns.get(i);
            numbers[i] = held.stream()
                    .map(row -> RowPrinter.field(row, column))
                    .allMatch(value -> value.isNumber() || value.isMissingNode() || value.isNull());
        }
        widths = widths();
        if (!style.top().isEmpty()) {
            out.println(GridStyle.rule(style.top(), widths));
        }
        line(columns.stream().map(this::cell).toList());
        out.println(GridStyle.rule(style.middle(), widths));
        held.forEach(this::print);
        held.clear();
    }

    private int[] widths() {
        int[] wanted = new int[columns.size()];
        for (int i = 0; i < wanted.length; i++) {
            String column = columns.get(i);
            int widest = Cells.width(cell(column));
            for (JsonNode row : held) {
                widest = Math.max(widest, Cells.width(cell(Cells.text(RowPrinter.field(row, column)))));
            }
            wanted[i] = isMarkdown() ? Math.max(3, widest) : Math.min(WIDEST_COLUMN_CHARS, widest);
        }
        return isMarkdown() || screenWidth == 0 ? wanted : narrowed(wanted);
    }

    /** Takes width from the widest columns until the line fits on the screen. */
    private int[] narrowed(int[] wanted) {
        int[] narrowed = wanted.clone();
        int excess = Arrays.stream(narrowed).sum() + style.frame(narrowed.length) - screenWidth;
        while (excess > 0) {
            int widest = 0;
            for (int i = 1; i < narrowed.length; i++) {
                widest = narrowed[i] > narrowed[widest] ? i : widest;
            }
            if (narrowed[widest] <= NARROWEST_COLUMN_CHARS) {
                break;
            }
            narrowed[widest]--;
            excess--;
        }
        return narrowed;
    }

    private void print(JsonNode row) {
        line(columns.stream()
                .map(column -> cell(Cells.text(RowPrinter.field(row, column))))
                .toList());
    }

    private void line(List<String> cells) {
        StringBuilder line = new StringBuilder(style.left());
        for (int i = 0; i < widths.length; i++) {
            String cell = cells.get(i);
            int width = isMarkdown() ? Math.max(widths[i], Cells.width(cell)) : widths[i];
            line.append(i == 0 ? "" : style.between()).append(Cells.fit(cell, width, numbers[i]));
        }
        out.println(line.append(style.right()).toString().stripTrailing());
    }

    private void bottom() {
        if (!columns.isEmpty() && !style.bottom().isEmpty()) {
            out.println(GridStyle.rule(style.bottom(), widths));
        }
    }

    private boolean isMarkdown() {
        return style.equals(GridStyle.MARKDOWN); // complete cells: the table is for another program
    }

    private String cell(String text) {
        if (!isMarkdown()) {
            return Cells.printable(text);
        }
        return Cells.printable(text.replace("\\", "\\\\").replace("|", "\\|").replace("\r\n", "\n"))
                .strip();
    }
}
