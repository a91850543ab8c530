package io.millrace.n1ql.function.object;

import com.google.re2j.Pattern;
import io.millrace.n1ql.function.date.DateFunctions;
import io.millrace.n1ql.function.spec.Args;
import io.millrace.n1ql.function.spec.FunctionContext;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.Json;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * REDACT(): an object of the same shape whose values tell nothing. Letters become {@code x}, digits of numbers and dates
 * become 1. Each further argument is a filter; the first one whose {@code pattern} a name matches decides what becomes of the
 * field: {@code omit} leaves it out, {@code strict} replaces separators too, {@code fixedlength} hides the length, {@code mask}
 * has other letters than x, {@code name} replaces the name, {@code exclude} is for the names that do not match. What is inside
 * of a field is redacted like the field unless its own name matches.
 */
final class Redaction {

    private static final int LONGEST_DATE = 30;
    private static final How UNCHANGED = new How(false, false, false, false, new int[] {'x'});
    /** Characters of these kinds stay, because they show the form of a text and not what it says. */
    private static final int SEPARATORS = 1 << Character.CONNECTOR_PUNCTUATION
            | 1 << Character.DASH_PUNCTUATION
            | 1 << Character.START_PUNCTUATION
            | 1 << Character.END_PUNCTUATION
            | 1 << Character.INITIAL_QUOTE_PUNCTUATION
            | 1 << Character.FINAL_QUOTE_PUNCTUATION
            | 1 << Character.OTHER_PUNCTUATION
            | 1 << Character.MATH_SYMBOL
            | 1 << Character.CURRENCY_SYMBOL
            | 1 << Character.MODIFIER_SYMBOL
            | 1 << Character.OTHER_SYMBOL
            | 1 << Character.SPACE_SEPARATOR
            | 1 << Character.LINE_SEPARATOR
            | 1 << Character.PARAGRAPH_SEPARATOR;

    private final List<Filter> filters;

    private Redaction(List<Filter> filters) {
        this.filters = filters;
    }

    /** How a field is redacted. */
    private record How(boolean values, boolean names, boolean strict, boolean fixedLength, int[] mask) {}

    /** Which fields are redacted, and how; what is null is as in the field around. */
    private record Filter(
            @Nullable Pattern pattern,
            boolean ignoreCase,
            boolean exclude,
            boolean omit,
            @Nullable Boolean names,
            @Nullable Boolean strict,
            @Nullable Boolean fixedLength,
            int @Nullable [] mask) {

        static Filter of(Value options, FunctionContext context) {
            String mask = Args.text(Args.option(options, "mask"));
            boolean ignoreCase = Args.flag(options, "ignorecase", false);
            return new Filter(
                    pattern(options, ignoreCase, context),
                    ignoreCase,
                    Args.flag(options, "exclude", false),
                    Args.flag(options, "omit", false),
                    Args.bool(Args.option(options, "name")),
                    Args.bool(Args.option(options, "strict")),
                    Args.bool(Args.option(options, "fixedlength")),
                    mask == null || mask.isEmpty() ? null : mask.codePoints().toArray());
        }

        private static @Nullable Pattern pattern(Value options, boolean ignoreCase, FunctionContext context) {
            String pattern = Args.text(Args.option(options, "pattern"));
            if (pattern == null || pattern.isEmpty()) {
                return null;
            }
            String regex = Args.flag(options, "regex", true) ? pattern : Pattern.quote(pattern);
            regex = Args.flag(options, "exact", false) ? "^(?:" + regex + ")$" : regex;
            return Args.pattern(ignoreCase ? regex.toLowerCase(Locale.ROOT) : regex, context);
        }

        boolean matches(String name) {
            return pattern == null
                    || pattern.matcher(ignoreCase ? name.toLowerCase(Locale.ROOT) : name)
                            .find();
        }

        How inside(How outer) {
            return new How(
                    true,
                    Objects.requireNonNullElse(names, outer.names()),
                    Objects.requireNonNullElse(strict, outer.strict()),
                    Objects.requireNonNullElse(fixedLength, outer.fixedLength()),
                    Objects.requireNonNullElse(mask, outer.mask()));
        }
    }

    static Value apply(Value[] args, FunctionContext context) {
        List<Filter> filters = new ArrayList<>();
        boolean objects = true;
        for (int i = 0; i < args.length; i++) {
            objects &= args[i].isObject();
            if (i > 0 && objects) {
                filters.add(Filter.of(args[i], context));
            }
        }
        if (!objects) {
            return Args.unknown(args);
        }
        if (filters.isEmpty()) {
            filters.add(Filter.of(Value.MISSING, context));
        }
        return new Redaction(filters).object((ObjectValue) args[0], "", UNCHANGED);
    }

    private ObjectValue object(ObjectValue object, String name, How outer) {
        Map<String, Value> fields = new LinkedHashMap<>();
        List<String> names = object.sortedNames();
        for (int i = 0; i < names.size(); i++) {
            String field = names.get(i);
            How how = how(field, outer);
            if (how != null) {
                String position = String.format(Locale.ROOT, "f%04d", i);
                String called = name.isEmpty() ? position : name + "_" + position;
                called = how.names() ? called : field;
                fields.put(called, value(object.get(field), called, how));
            }
        }
        return ObjectValue.of(fields);
    }

    /** Returns how a field is redacted, or null if it is left out. */
    private @Nullable How how(String name, How outer) {
        for (Filter filter : filters) {
            boolean matches = filter.matches(name);
            if (matches != filter.exclude()) {
                return filter.omit() ? null : filter.inside(outer);
            }
            if (matches) {
                return UNCHANGED;
            }
        }
        return outer;
    }

    private Value value(Value value, String name, How how) {
        return switch (value) {
            case ObjectValue object -> object(object, name, how);
            case ArrayValue array ->
                ArrayValue.of(array.items().stream()
                        .map(item -> value(item, name, how))
                        .toList());
            default -> how.values() ? scalar(value, how) : value;
        };
    }

    private static Value scalar(Value value, How how) {
        return switch (value) {
            case StringValue text -> text(text.text(), how);
            case NumberValue number -> number(number, how);
            default -> value == Value.TRUE && how.strict() ? Value.FALSE : value;
        };
    }

    private static Value number(NumberValue number, How how) {
        if (how.fixedLength()) {
            return Value.of(0L);
        }
        Value plain = number.isInteger() ? number : Value.of(number.doubleValue());
        Value redacted = Json.parse(plain.toJson().replaceAll("[0-9]", "1"));
        return redacted == null || !redacted.isNumber() ? Value.of(1L) : redacted;
    }

    private static Value text(String text, How how) {
        boolean date = !how.strict() && text.length() <= LONGEST_DATE && DateFunctions.isDate(text);
        int[] mask = date ? new int[] {'1'} : how.mask();
        if (how.fixedLength() && !date) {
            return Value.of(new String(mask, 0, mask.length));
        }
        int[] points = text.codePoints().toArray();
        for (int i = 0; i < points.length; i++) {
            if (how.strict() || !separates(points[i])) {
                points[i] = mask[i % mask.length];
            }
        }
        return Value.of(new String(points, 0, points.length));
    }

    private static boolean separates(int point) {
        return Character.isWhitespace(point) || (SEPARATORS >>> Character.getType(point) & 1) != 0;
    }
}
