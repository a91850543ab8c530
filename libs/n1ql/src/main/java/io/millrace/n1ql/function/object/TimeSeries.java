package io.millrace.n1ql.function.object;

import io.millrace.n1ql.function.spec.Args;
import io.millrace.n1ql.function.spec.FunctionContext;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.FieldName;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * _TIMESERIES(): the points of a time series document as objects with the time {@code _t} and the values {@code _v0},
 * {@code _v1} and so on. With an interval, the elements of its data follow each other from the start in this distance; without
 * one, each element is an array that begins with its time. Times are milliseconds since 1970.
 */
final class TimeSeries {

    private final long start;
    private final long interval;
    private final @Nullable List<Range> ranges;
    private final @Nullable Set<Long> wanted;

    /** Both ends are inside. */
    private record Range(long from, long to) {

        boolean meets(long first, long last) {
            return from <= last && first <= to;
        }
    }

    private TimeSeries(long start, long interval, @Nullable List<Range> ranges, @Nullable Set<Long> wanted) {
        this.start = start;
        this.interval = interval;
        this.ranges = ranges;
        this.wanted = wanted;
    }

    static Value apply(Value[] args, FunctionContext context) {
        Value options = args.length > 1 ? args[1] : ObjectValue.EMPTY;
        if (!args[0].isObject() || !options.isObject()) {
            return Args.unknown(args);
        }
        Long start = Args.whole(part(args[0], options, "ts_start"));
        Long end = Args.whole(part(args[0], options, "ts_end"));
        Value distance = part(args[0], options, "ts_interval");
        Long interval = distance.isMissing() ? Long.valueOf(0) : Args.whole(distance);
        if (!(part(args[0], options, "ts_data") instanceof ArrayValue data)
                || start == null
                || end == null
                || interval == null
                || interval < 0) {
            return Value.NULL;
        }
        TimeSeries series = new TimeSeries(
                start, interval, ranges(Args.option(options, "ts_ranges")), wanted(Args.option(options, "ts_project")));
        return start <= end && series.meets(start, end) ? series.points(data) : ArrayValue.EMPTY_ARRAY;
    }

    /** Returns a part of the document, whose path an option of the same name may give. */
    private static Value part(Value document, Value options, String name) {
        Value path = Args.option(options, name);
        return path.isMissing() ? document.field(FieldName.of(name)) : ObjectPathFunctions.at(document, path);
    }

    // ---- options

    /** Returns the ranges of a pair of times or an array of pairs; null for all times. Pairs that are none are left out. */
    private static @Nullable List<Range> ranges(Value option) {
        if (option.isMissing()) {
            return null;
        }
        List<Range> ranges = new ArrayList<>();
        boolean single = option.element(0).isNumber();
        for (Value pair : single || !(option instanceof ArrayValue pairs) ? ArrayValue.of(option) : pairs) {
            Long from = Args.whole(pair.element(0));
            Long to = Args.whole(pair.element(1));
            if (from != null && to != null && from <= to) {
                ranges.add(new Range(from, to));
            }
        }
        return ranges;
    }

    /** Returns the positions of the values that are wanted, or null for all. */
    private static @Nullable Set<Long> wanted(Value option) {
        if (option.isMissing()) {
            return null;
        }
        Set<Long> positions = new HashSet<>();
        for (Value position : option instanceof ArrayValue several ? several : ArrayValue.of(option)) {
            Long whole = Args.whole(position);
            if (whole != null) {
                positions.add(whole);
            }
        }
        return positions;
    }

    private boolean meets(long first, long last) {
        return ranges == null || ranges.stream().anyMatch(range -> range.meets(first, last));
    }

    // ---- points

    private Value points(ArrayValue data) {
        List<Value> points = new ArrayList<>();
        for (int i = 0; i < data.size(); i++) {
            Value element = data.get(i);
            Long time = interval > 0 ? Long.valueOf(start + i * interval) : Args.whole(element.element(0));
            if (time != null && meets(time, time)) {
                points.add(point(time, element));
            }
        }
        return ArrayValue.of(points);
    }

    private Value point(long time, Value element) {
        Map<String, Value> fields = new LinkedHashMap<>();
        fields.put("_t", Value.of(time));
        ArrayValue values = element instanceof ArrayValue several ? several : ArrayValue.of(element);
        int first = interval > 0 ? 0 : 1; // behind the time
        for (int i = first; i < values.size(); i++) {
            if (wanted == null || wanted.contains((long) i - first)) {
                fields.put("_v" + (i - first), values.get(i));
            }
        }
        return ObjectValue.of(fields);
    }
}
