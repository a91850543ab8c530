package io.millrace.n1ql.value;

import io.millrace.n1ql.value.Value.ValueType;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * A number: a 64-bit integer if it fits, else a double. Integers and doubles compare by value. A number that was read
 * from a document keeps its spelling until it is used in a computation.
 */
public final class NumberValue extends Value {

    private static final NumberValue[] SMALL = new NumberValue[257];
    private static final double TWO_TO_63 = 9223372036854775808.0;
    /** Numbers from here on, and below the smallest, are written with an exponent, as Couchbase does. */
    private static final double LARGEST_PLAIN = 1e21;

    private static final double SMALLEST_PLAIN = 1e-6;

    static {
        for (int i = 0; i < SMALL.length; i++) {
            SMALL[i] = new NumberValue(true, i - 1, i - 1, null);
        }
    }

    private final boolean integer;
    private final long integral;
    private final double real;
    private final @Nullable String spelling;

    private NumberValue(boolean integer, long integral, double real, @Nullable String spelling) {
        this.integer = integer;
        this.integral = integral;
        this.real = real;
        this.spelling = spelling;
    }

    public static NumberValue of(long value) {
        if (value >= -1 && value < SMALL.length - 1) {
            return SMALL[(int) value + 1];
        }
        return new NumberValue(true, value, value, null);
    }

    public static NumberValue of(double value) {
        return new NumberValue(false, 0, value, null);
    }

    /** Reads a JSON number. */
    static NumberValue parse(String text) {
        boolean plain = true;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            plain &= c >= '0' && c <= '9' || c == '-';
        }
        if (plain && text.length() <= 20) {
            try {
                return of(Long.parseLong(text));
            } catch (NumberFormatException e) {
                // larger than 64 bits: a double
            }
        }
        double value = Double.parseDouble(text);
        return new NumberValue(false, 0, value, format(value).equals(text) ? null : text);
    }

    /** Returns an integer when a double is one and fits, else the double. */
    public static NumberValue integerIfExact(double value) {
        return isExact(value) ? of((long) value) : of(value);
    }

    private static boolean isExact(double value) {
        return value == Math.rint(value) && value >= -TWO_TO_63 && value < TWO_TO_63;
    }

    /** Returns whether this is stored as an integer. */
    public boolean isInteger() {
        return integer;
    }

    /** Returns whether this is a whole number that fits into 64 bits, stored as integer or double. */
    public boolean isWhole() {
        return integer || isExact(real);
    }

    public long longValue() {
        return integer ? integral : (long) real;
    }

    public double doubleValue() {
        return real;
    }

    @Override
    public ValueType type() {
        return ValueType.NUMBER;
    }

    @Override
    public boolean truth() {
        return integer ? integral != 0 : real != 0 && !Double.isNaN(real);
    }

    @Override
    public void write(JsonWriter out) {
        if (integer) {
            out.ascii(Long.toString(integral));
        } else if (spelling != null) {
            out.ascii(spelling);
        } else if (Double.isNaN(real)) {
            out.ascii("\"NaN\"");
        } else if (Double.isInfinite(real)) {
            out.ascii(real > 0 ? "\"+Infinity\"" : "\"-Infinity\"");
        } else {
            out.ascii(format(real));
        }
    }

    /** Returns the text that {@code TO_STRING()} gives. */
    public String text() {
        if (integer) {
            return Long.toString(integral);
        }
        if (Double.isNaN(real)) {
            return "NaN";
        }
        if (Double.isInfinite(real)) {
            return real > 0 ? "+Infinity" : "-Infinity";
        }
        return format(real);
    }

    private static String format(double value) {
        if (value == 0) {
            return 1 / value < 0 ? "-0" : "0";
        }
        double size = Math.abs(value);
        if (isExact(value)) {
            return Long.toString((long) value);
        }
        if (size >= SMALLEST_PLAIN && size < LARGEST_PLAIN) {
            return size < 1e-3 || size >= 1e7 ? plain(value) : trim(value);
        }
        String text = Double.toString(value);
        int exponentAt = text.indexOf('E');
        if (exponentAt < 0) {
            return text;
        }
        String mantissa = text.substring(0, exponentAt);
        mantissa = mantissa.endsWith(".0") ? mantissa.substring(0, mantissa.length() - 2) : mantissa;
        String exponent = text.substring(exponentAt + 1);
        String sign = exponent.startsWith("-") ? "-" : "+";
        String digits = exponent.startsWith("-") ? exponent.substring(1) : exponent;
        return mantissa + "e" + sign + (digits.length() < 2 ? "0" + digits : digits);
    }

    /** Without the zero of 1.0E-4, which would be the last digit of 0.00010. */
    private static String plain(double value) {
        return new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString();
    }

    private static String trim(double value) {
        String text = Double.toString(value);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }

    @Override
    int compareSame(Value other) {
        NumberValue that = (NumberValue) other;
        if (integer && that.integer) {
            return Long.compare(integral, that.integral);
        }
        if (real < that.real) {
            return -1;
        }
        if (real > that.real) {
            return 1;
        }
        if (real == that.real) {
            return 0;
        }
        // NaN is the smallest number
        return Boolean.compare(Double.isNaN(that.real), Double.isNaN(real));
    }

    @Override
    Value eqSame(Value other) {
        return of(compareSame(other) == 0 && !Double.isNaN(real));
    }

    @Override
    public int hashCode() {
        return real == 0 ? 0 : Double.hashCode(real);
    }
}
