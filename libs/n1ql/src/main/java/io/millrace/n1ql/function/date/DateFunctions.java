package io.millrace.n1ql.function.date;

import io.millrace.n1ql.function.spec.Args;
import io.millrace.n1ql.function.spec.FunctionContext;
import io.millrace.n1ql.function.spec.FunctionSpec;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.TextStyle;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Functions of dates, as texts and as milliseconds since 1970. */
public final class DateFunctions {

    private DateFunctions() {}

    public static void register(FunctionSpec.Registrar registrar) {
        DateRangeFunctions.register(registrar);
        clocks(registrar);
        texts(registrar);
        registrar.add(3, 3, (args, context) -> addMillis(args), "date_add_millis");
        registrar.add(3, 3, DateFunctions::addText, "date_add_str");
        registrar.add(3, 3, (args, context) -> difference(args, context, false, false), "date_diff_millis");
        registrar.add(3, 3, (args, context) -> difference(args, context, true, false), "date_diff_str");
        registrar.add(3, 3, (args, context) -> difference(args, context, false, true), "date_diff_abs_millis");
        registrar.add(3, 3, (args, context) -> difference(args, context, true, true), "date_diff_abs_str");
        registrar.add(2, 3, DateFunctions::partOfMillis, "date_part_millis");
        registrar.add(2, 2, DateFunctions::partOfText, "date_part_str");
        registrar.add(2, 2, (args, context) -> truncateMillis(args), "date_trunc_millis");
        registrar.add(2, 2, DateFunctions::truncateText, "date_trunc_str");
        registrar.add(1, 2, DateFunctions::weekdayOfMillis, "weekday_millis");
        registrar.add(
                1,
                1,
                (args, context) -> ofText(args[0], null, context, date -> Value.of(weekday(date))),
                "weekday_str");
        registrar.add(1, 2, (args, context) -> durationToText(args), "duration_to_str");
        registrar.add(1, 2, (args, context) -> textToDuration(args), "str_to_duration");
    }

    /** Returns whether a text is a date in one of the standard formats. */
    public static boolean isDate(String text) {
        return DateFormats.read(text, null, ZoneOffset.UTC) != null;
    }

    private static void clocks(FunctionSpec.Registrar registrar) {
        registrar.addUnstable(0, 0, (args, context) -> millis(context.requestTime()), "now_millis");
        registrar.addUnstable(0, 0, (args, context) -> millis(context.now()), "clock_millis");
        registrar.addUnstable(
                0, 1, (args, context) -> write(context.requestTime(), context.zone(), args, 0), "now_str", "now_local");
        registrar.addUnstable(
                0, 1, (args, context) -> write(context.now(), context.zone(), args, 0), "clock_str", "clock_local");
        registrar.addUnstable(
                0, 1, (args, context) -> write(context.requestTime(), ZoneOffset.UTC, args, 0), "now_utc");
        registrar.addUnstable(0, 1, (args, context) -> write(context.now(), ZoneOffset.UTC, args, 0), "clock_utc");
        registrar.addUnstable(1, 2, (args, context) -> inZone(context.requestTime(), args, 0), "now_tz");
        registrar.addUnstable(1, 2, (args, context) -> inZone(context.now(), args, 0), "clock_tz");
    }

    private static void texts(FunctionSpec.Registrar registrar) {
        registrar.add(1, 2, DateFunctions::textToMillis, "str_to_millis", "millis");
        registrar.add(
                1,
                2,
                (args, context) -> ofMillis(args[0], date -> write(date.toInstant(), context.zone(), args, 1)),
                "millis_to_str",
                "millis_to_local");
        registrar.add(
                1,
                2,
                (args, context) -> ofMillis(args[0], date -> write(date.toInstant(), ZoneOffset.UTC, args, 1)),
                "millis_to_utc");
        registrar.add(
                2,
                3,
                (args, context) -> ofMillis(args[0], date -> inZone(date.toInstant(), args, 1)),
                "millis_to_tz",
                "millis_to_zone_name");
        registrar.add(1, 3, DateFunctions::textToUtc, "str_to_utc");
        registrar.add(2, 4, DateFunctions::textToZone, "str_to_tz", "str_to_zone_name");
        registrar.add(2, 3, DateFunctions::format, "date_format_str");
    }

    // ---- shared

    static Value millis(Instant instant) {
        return Value.of(instant.toEpochMilli());
    }

    /** Returns the milliseconds of a date, NULL if they do not fit into 64 bits. */
    static Value millis(ZonedDateTime date) {
        try {
            return Value.of(date.toInstant().toEpochMilli());
        } catch (ArithmeticException e) {
            return Value.NULL;
        }
    }

    static @Nullable ZonedDateTime fromMillis(Value value, ZoneId zone) {
        if (!(value instanceof NumberValue number) || !Double.isFinite(number.doubleValue())) {
            return null;
        }
        try {
            double millis = number.doubleValue();
            long whole = (long) Math.floor(millis);
            long nanos = number.isWhole() ? 0 : (long) ((millis - whole) * 1_000_000);
            return Instant.ofEpochMilli(whole).plusNanos(nanos).atZone(zone);
        } catch (DateTimeException | ArithmeticException e) {
            return null;
        }
    }

    static Value ofMillis(Value value, Function<ZonedDateTime, Value> body) {
        ZonedDateTime date = fromMillis(value, ZoneOffset.UTC);
        return date == null ? Args.unknown(value) : body.apply(date);
    }

    private static Value ofText(
            Value value, @Nullable String format, FunctionContext context, Function<ZonedDateTime, Value> body) {
        ZonedDateTime date = read(value, format, context);
        return date == null ? Args.unknown(value) : body.apply(date);
    }

    static @Nullable ZonedDateTime read(Value value, @Nullable String format, FunctionContext context) {
        return value instanceof StringValue text ? DateFormats.read(text.text(), format, context.zone()) : null;
    }

    private static Value write(Instant instant, ZoneId zone, Value[] args, int formatAt) {
        if (args.length > formatAt && !args[formatAt].isString()) {
            return Args.unknown(args[formatAt]);
        }
        String format = args.length > formatAt ? Args.text(args[formatAt]) : null;
        return Value.of(DateFormats.write(instant.atZone(zone), format));
    }

    private static Value inZone(Instant instant, Value[] args, int zoneAt) {
        ZoneId zone = zone(args[zoneAt]);
        return zone == null ? Args.unknown(args[zoneAt]) : write(instant, zone, args, zoneAt + 1);
    }

    static @Nullable ZoneId zone(Value value) {
        return value instanceof StringValue name ? Zones.find(name.text()) : null;
    }

    // ---- texts

    private static Value textToMillis(Value[] args, FunctionContext context) {
        if (args.length > 1 && !args[1].isString()) {
            return Args.unknown(args);
        }
        return ofText(args[0], args.length > 1 ? Args.text(args[1]) : null, context, DateFunctions::millis);
    }

    /** Arguments: the date, its format, and the format of the result. */
    private static Value textToUtc(Value[] args, FunctionContext context) {
        return convert(args, 1, ZoneOffset.UTC, context);
    }

    private static Value textToZone(Value[] args, FunctionContext context) {
        ZoneId zone = zone(args[1]);
        return zone == null || Args.anyMissing(args) ? Args.unknown(args) : convert(args, 2, zone, context);
    }

    private static Value convert(Value[] args, int formatAt, ZoneId zone, FunctionContext context) {
        for (int i = formatAt; i < args.length; i++) {
            if (!args[i].isString()) {
                return Args.unknown(args);
            }
        }
        String format = args.length > formatAt ? Args.text(args[formatAt]) : null;
        String result = args.length > formatAt + 1 ? Args.text(args[formatAt + 1]) : format;
        return ofText(args[0], format, context, date -> {
            ZonedDateTime moved = date.withZoneSameInstant(zone);
            return Value.of(
                    result == null
                            ? DateFormats.writeLike(moved, ((StringValue) args[0]).text())
                            : DateFormats.write(moved, result));
        });
    }

    /** Arguments: the date, optionally its format, and the format of the result. */
    private static Value format(Value[] args, FunctionContext context) {
        Value result = args[args.length - 1];
        if (!result.isString() || !args[1].isString()) {
            return Args.unknown(args);
        }
        return ofText(
                args[0],
                args.length > 2 ? Args.text(args[1]) : null,
                context,
                date -> Value.of(DateFormats.write(date, Args.text(result))));
    }

    // ---- arithmetic

    private static Value addMillis(Value[] args) {
        Long count = Args.whole(args[1]);
        if (count == null || !(args[2] instanceof StringValue part)) {
            return Args.unknown(args);
        }
        return ofMillis(args[0], date -> {
            ZonedDateTime sum = added(date, count, part.text());
            return sum == null ? Value.NULL : millis(sum);
        });
    }

    private static Value addText(Value[] args, FunctionContext context) {
        Long count = Args.whole(args[1]);
        if (Args.anyMissing(args) || count == null || !(args[2] instanceof StringValue part)) {
            return Args.unknown(args);
        }
        return ofText(args[0], null, context, date -> {
            ZonedDateTime sum = added(date, count, part.text());
            return sum == null ? Value.NULL : Value.of(DateFormats.writeLike(sum, ((StringValue) args[0]).text()));
        });
    }

    static @Nullable ZonedDateTime added(ZonedDateTime date, long count, String part) {
        try {
            return DateMath.add(date, count, part);
        } catch (DateTimeException | ArithmeticException e) {
            return null;
        }
    }

    private static Value difference(Value[] args, FunctionContext context, boolean texts, boolean absolute) {
        ZonedDateTime first = texts ? read(args[0], null, context) : fromMillis(args[0], ZoneOffset.UTC);
        ZonedDateTime second = texts ? read(args[1], null, context) : fromMillis(args[1], ZoneOffset.UTC);
        if (first == null || second == null || !(args[2] instanceof StringValue part)) {
            return Args.unknown(args);
        }
        Long difference = DateMath.difference(first, second, part.text());
        return difference == null ? Value.NULL : Value.of(absolute ? Math.abs(difference) : difference);
    }

    private static Value partOfMillis(Value[] args, FunctionContext context) {
        ZoneId zone = args.length > 2 ? zone(args[2]) : context.zone();
        if (zone == null || Args.anyMissing(args) || !(args[1] instanceof StringValue part)) {
            return Args.unknown(args);
        }
        return ofMillis(args[0], date -> part(date.withZoneSameInstant(zone), part.text()));
    }

    private static Value partOfText(Value[] args, FunctionContext context) {
        if (Args.anyMissing(args) || !(args[1] instanceof StringValue part)) {
            return Args.unknown(args);
        }
        return ofText(args[0], null, context, date -> part(date, part.text()));
    }

    private static Value part(ZonedDateTime date, String part) {
        Integer number = DateMath.part(date, part);
        return number == null ? Value.NULL : Value.of((long) number);
    }

    private static Value truncateMillis(Value[] args) {
        if (Args.anyMissing(args) || !(args[1] instanceof StringValue part)) {
            return Args.unknown(args);
        }
        return ofMillis(args[0], date -> {
            ZonedDateTime truncated = DateMath.truncate(date, part.text());
            return truncated == null ? Value.NULL : millis(truncated);
        });
    }

    private static Value truncateText(Value[] args, FunctionContext context) {
        if (Args.anyMissing(args) || !(args[1] instanceof StringValue part)) {
            return Args.unknown(args);
        }
        return ofText(args[0], null, context, date -> {
            ZonedDateTime truncated = DateMath.truncate(date, part.text());
            return truncated == null
                    ? Value.NULL
                    : Value.of(DateFormats.writeLike(truncated, ((StringValue) args[0]).text()));
        });
    }

    private static Value weekdayOfMillis(Value[] args, FunctionContext context) {
        ZoneId zone = args.length > 1 ? zone(args[1]) : context.zone();
        if (zone == null || Args.anyMissing(args)) {
            return Args.unknown(args);
        }
        return ofMillis(args[0], date -> Value.of(weekday(date.withZoneSameInstant(zone))));
    }

    private static String weekday(ZonedDateTime date) {
        return date.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
    }

    // ---- durations

    private static Value durationToText(Value[] args) {
        if (!(args[0] instanceof NumberValue nanos) || args.length > 1 && !args[1].isString()) {
            return Args.unknown(args);
        }
        String style = args.length > 1 ? ((StringValue) args[1]).text().toLowerCase(Locale.ROOT) : "";
        return Value.of(
                switch (style) {
                    case "compatible" -> Durations.writeSeconds(nanos.longValue());
                    case "interval" -> Durations.writeClock(nanos.longValue());
                    default -> Durations.write(nanos.longValue());
                });
    }

    private static Value textToDuration(Value[] args) {
        if (!(args[0] instanceof StringValue text) || args.length > 1 && !args[1].isString()) {
            return Args.unknown(args);
        }
        Long nanos = Durations.read(text.text());
        return nanos == null ? Value.NULL : Value.of((long) nanos);
    }
}
