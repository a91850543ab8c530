package io.millrace.launcher;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the whole number of an option and refuses one out of its range; each range is a subclass, which picocli creates. */
public abstract class NumberBetween implements ITypeConverter<Integer> {

    private final int least;
    private final int most;

    protected NumberBetween(int least, int most) {
        this.least = least;
        this.most = most;
    }

    @Override
    public final Integer convert(String text) {
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new TypeConversionException("use a whole number from " + least + " to " + most + ", not " + text);
    }

    /** How many lines to show. */
    public static final class Lines extends NumberBetween {
        Lines() {
            super(0, 100_000);
        }
    }
}
