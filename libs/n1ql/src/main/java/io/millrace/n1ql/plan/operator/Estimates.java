package io.millrace.n1ql.plan.operator;

/** What is assumed where no count tells. */
public final class Estimates {

    /** What comparing a pair of rows, or putting a row into a table, costs in entries. */
    public static final double ROW = 0.1;

    /** How many values a field that joins or groups is assumed to have, at the most. */
    private static final double VALUES = 200;

    private Estimates() {}

    /** Returns how many of these rows have one value of a field. */
    public static double matching(double rows) {
        return rows <= VALUES ? Math.min(1, rows) : rows / VALUES;
    }

    /** Returns how many groups rows have by so many keys. */
    public static double groups(double rows, int keys) {
        return Math.min(rows, Math.pow(VALUES, keys));
    }
}
