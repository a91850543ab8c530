package io.millrace.benchmarks.suite;

import java.io.PrintStream;

/** Prints goals and whether they are met. */
public final class Goals {

    private final PrintStream out;
    private boolean met = true;

    public Goals(PrintStream out) {
        this.out = out;
    }

    /** Prints a goal that larger figures meet. */
    public Goals atLeast(String name, double measured, double goal) {
        return print(name, measured, "at least", goal, measured >= goal);
    }

    /** Prints a goal that smaller figures meet. */
    public Goals atMost(String name, double measured, double goal) {
        return print(name, measured, "at most", goal, measured <= goal);
    }

    /** Returns whether all goals so far are met. */
    public boolean met() {
        return met;
    }

    private Goals print(String name, double measured, String relation, double goal, boolean reached) {
        met &= reached;
        out.printf(
                "goal: %-40s %s, %s %s: %s%n", name, text(measured), relation, text(goal), reached ? "met" : "missed");
        return this;
    }

    private static String text(double value) {
        return value < 10 && value != Math.rint(value) ? "%.2f".formatted(value) : "%,.0f".formatted(value);
    }
}
