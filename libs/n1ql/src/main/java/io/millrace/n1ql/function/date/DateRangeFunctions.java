package io.millrace.n1ql.function.date;

import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.function.spec.Args;
import io.millrace.n1ql.function.spec.FunctionContext;
import io.millrace.n1ql.function.spec.FunctionSpec;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Functions that return arrays of dates without the end date. */
final class DateRangeFunctions {

    private static final int CHECK_EVERY = 4096;

    private DateRangeFunctions() {}

    static void register(FunctionSpec.Registrar registrar) {
        registrar.add(3, 4, DateRangeFunctions::ofMillis, "date_range_millis");
        registrar.add(3, 4, DateRangeFunctions::ofTexts, "date_range_str");
    }

    private static Value ofMillis(Value[] args, FunctionContext context) {
        ZonedDateTime start = DateFunctions.fromMillis(args[0], ZoneOffset.UTC);
        ZonedDateTime end = DateFunctions.fromMillis(args[1], ZoneOffset.UTC);
        if (start == null || end == null) {
            return Args.unknown(args);
        }
        return range(args, start, end, "DATE_RANGE_MILLIS()", context, DateFunctions::millis);
    }

    private static Value ofTexts(Value[] args, FunctionContext context) {
        ZonedDateTime start = DateFunctions.read(args[0], null, context);
        ZonedDateTime end = DateFunctions.read(args[1], null, context);
        if (start == null || end == null) {
            return Args.unknown(args);
        }
        String example = ((StringValue) args[0]).text();
        return range(
                args, start, end, "DATE_RANGE_STR()", context, date -> Value.of(DateFormats.writeLike(date, example)));
    }

    private static Value range(
            Value[] args,
            ZonedDateTime start,
            ZonedDateTime end,
            String function,
            FunctionContext context,
            Function<ZonedDateTime, Value> result) {
        Long step = args.length > 3 ? Args.whole(args[3]) : Long.valueOf(1);
        if (Args.anyMissing(args) || step == null || !(args[2] instanceof StringValue part)) {
            return Args.unknown(args);
        }
        if (step == 0) {
            return ArrayValue.of(result.apply(start));
        }
        if (step > 0 != start.isBefore(end) || start.isEqual(end)) {
            return Value.EMPTY_ARRAY;
        }
        if (Math.abs(millis(Duration.between(start, end))) / DateMath.leastMillis(part.text()) / Math.abs(step)
                > FunctionSpec.MAX_ELEMENTS) {
            throw QueryException.outOfRange(function);
        }
        // From the 30th of January over the 29th of February to the 30th of March.
        boolean keepsDay = part.text().equalsIgnoreCase("calendar_month");
        List<Value> dates = new ArrayList<>();
        ZonedDateTime date = start;
        while (step > 0 ? date.isBefore(end) : date.isAfter(end)) {
            dates.add(result.apply(date));
            if (dates.size() % CHECK_EVERY == 0) {
                context.check();
            }
            ZonedDateTime next = keepsDay
                    ? DateFunctions.added(start, step * dates.size(), part.text())
                    : DateFunctions.added(date, step, part.text());
            if (next == null) {
                return Value.NULL;
            }
            date = next;
        }
        return ArrayValue.of(dates);
    }

    /** As a double, because dates may be further apart than 64 bits of milliseconds. */
    private static double millis(Duration distance) {
        return distance.getSeconds() * 1e3 + distance.getNano() / 1e6;
    }
}
