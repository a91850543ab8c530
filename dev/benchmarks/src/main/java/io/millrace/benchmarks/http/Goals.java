package io.millrace.benchmarks.http;

import java.io.PrintStream;

/** Prints goals and whether they are met. */
final class Goals {

    private final PrintStream out;

    Goals(PrintStream out) {
        this.out = out;
    }

    Goals atLeast(String name, double measured, double goal) {
        return print(name, measured, "at least", goal, measured >= goal);
    }

    Goals atMost(String name, double measured, double goal) {
        return print(name, measured, "at most", goal, measured <= goal);
    }

    private Goals print(String name, double measured, String relation, double goal, boolean met) {
        out.printf("goal: %-34s %s, %s %s: %s%n", name, text(measured), relation, text(goal), met ? "met" : "missed");
        return this;
    }

    private static String text(double value) {
        return value < 10 ? "%.2f".formatted(value) : "%,.0f".formatted(value);
    }
}
