package io.millrace.benchmarks.suite;

/**
 * Says when what is measured again and again no longer falls: the compilers of a program are at work for longer than a few seconds,
 * and until they are done each round costs less than the one before.
 */
public final class Settling {

    /** A round that costs more than this share of the least one before does not fall. */
    private static final double FALLING = 0.97;

    /** How many rounds in a row must not fall. */
    private static final int ENOUGH = 2;

    private double least = Double.MAX_VALUE;
    private int inARow;

    /** Takes the costs of one round, in any unit; returns whether another one is needed. */
    public boolean falls(double costs) {
        inARow = costs > least * FALLING ? inARow + 1 : 0;
        least = Math.min(least, costs);
        return inARow < ENOUGH;
    }
}
