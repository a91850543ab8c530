package io.millrace.launcher.shell;

/**
 * The lines around the cells of a table.
 *
 * @param top the line above the names, as left end, filling, crossing and right end; empty for none
 * @param middle the line below the names
 * @param bottom the line below the rows
 * @param left what begins a row
 * @param between what separates cells
 * @param right what ends a row
 */
record GridStyle(String top, String middle, String bottom, String left, String between, String right) {

    static final GridStyle TABLE = new GridStyle("", "", "", "", " | ", "").withRule("", "-", "-+-", "");

    static final GridStyle MARKDOWN = new GridStyle("", "", "", "| ", " | ", " |").withRule("| ", "-", " | ", " |");

    static final GridStyle BOX = new GridStyle("┌─,─,─┬─,─┐", "├─,─,─┼─,─┤", "└─,─,─┴─,─┘", "│ ", " │ ", " │");

    private GridStyle withRule(String start, String fill, String crossing, String end) {
        return new GridStyle(top, String.join(",", start, fill, crossing, end), bottom, left, between, right);
    }

    /** Returns the line {@code rule} for columns of these widths. */
    static String rule(String rule, int[] widths) {
        String[] parts = rule.split(",", -1);
        StringBuilder line = new StringBuilder(parts[0]);
        for (int i = 0; i < widths.length; i++) {
            line.append(i == 0 ? "" : parts[2]).append(parts[1].repeat(widths[i]));
        }
        return line.append(parts[3]).toString();
    }

    /** Returns the columns of the screen that the lines of a table take. */
    int frame(int columns) {
        return Cells.width(left) + Cells.width(right) + Cells.width(between) * (columns - 1);
    }
}
