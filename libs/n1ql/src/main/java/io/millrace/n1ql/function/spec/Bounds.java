package io.millrace.n1ql.function.spec;

import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.StatementLimits;
import io.millrace.n1ql.value.JsonWriter;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import io.millrace.patterns.PatternSize;
import java.nio.charset.StandardCharsets;

/** Refuses calls whose results or whose work would be without limit. */
public final class Bounds {

    /** A text of fewer characters has no more bytes of UTF-8. */
    private static final int MAX_JSON_BYTES = 3 * StatementLimits.MAX_RESULT_LENGTH;

    private Bounds() {}

    /** Throws if a text of the length is too long for a result; to be called before it is made, where it multiplies. */
    public static void length(long length, String function) {
        if (length > StatementLimits.MAX_RESULT_LENGTH) {
            throw tooLong(function);
        }
    }

    private static QueryException tooLong(String function) {
        return QueryException.outOfRange(
                function + ": texts of at most " + StatementLimits.MAX_RESULT_LENGTH + " characters are made");
    }

    /**
     * Returns the value unless it is too long a text, or an array or object of too many values: one array may be in another
     * a million times without taking memory, but not when it is copied, compared or written.
     */
    public static Value result(Value value, String function) {
        if ((value.isArray() || value.isObject()) && value.parts() > StatementLimits.MAX_PARTS) {
            throw QueryException.outOfRange(function + ": arrays and objects of at most " + StatementLimits.MAX_PARTS
                    + " values are made, those inside of others included");
        }
        if (value instanceof StringValue text) {
            length(text.text().length(), function);
        }
        return value;
    }

    /** Returns the JSON text of a value, whose arrays may have the same long text many times. */
    public static Value json(Value value, String function) {
        JsonWriter out = new JsonWriter(MAX_JSON_BYTES);
        try {
            value.write(out);
        } catch (JsonWriter.TooLong e) {
            throw tooLong(function);
        }
        return Value.of(new String(out.toBytes(), StandardCharsets.UTF_8));
    }

    /** Throws if the search of a part in a text could take too many comparisons: it cannot be cancelled. */
    public static void search(String text, String part, String function) {
        work(text.length() - part.length() + 1, part.length(), function);
    }

    /** Throws if a text is too long to be matched with a pattern, or the pattern itself is too long. */
    public static void match(String text, String pattern, String function) {
        pattern(pattern);
        work(text.length(), pattern.length(), function);
    }

    /** Throws if a text with so many characters takes too long to match or scan with so many others. */
    public static void work(int characters, int others, String function) {
        if ((long) characters * others > StatementLimits.MAX_COMPARISONS) {
            throw QueryException.outOfRange(function + ": the product of the lengths of both texts is at most "
                    + StatementLimits.MAX_COMPARISONS);
        }
    }

    /** Throws if a pattern is too long: compiling it takes a multiple of its length, and matching it the product. */
    public static void pattern(String pattern) {
        patternLength(pattern.length());
    }

    /** Throws if a regular expression is too long when its repetitions are written out, as compiling it does. */
    static void regularExpression(String regex) {
        patternLength(regex.length());
        patternLength(PatternSize.of(regex));
    }

    private static void patternLength(long length) {
        if (length > StatementLimits.MAX_PATTERN_LENGTH) {
            throw QueryException.outOfRange("a pattern: patterns have at most " + StatementLimits.MAX_PATTERN_LENGTH
                    + " characters; in a regular expression, what is repeated counts as often");
        }
    }
}
