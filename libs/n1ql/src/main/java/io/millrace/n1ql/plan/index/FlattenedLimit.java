package io.millrace.n1ql.plan.index;

import io.millrace.n1ql.plan.index.EntryRanges.Bound;
import io.millrace.n1ql.plan.index.Intervals.Interval;
import io.millrace.n1ql.runtime.Frame;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Limits the value of FLATTEN_KEYS, an array, by limits of its first elements. */
final class FlattenedLimit implements KeyLimit {

    private static final byte[] START = {KeyEncoding.ARRAY};

    private final List<KeyLimit> elements;

    private FlattenedLimit(List<KeyLimit> elements) {
        this.elements = elements;
    }

    /** Returns the limit, or null if the first element has none. */
    static @Nullable KeyLimit of(List<@Nullable KeyLimit> limits) {
        List<KeyLimit> first = new ArrayList<>();
        for (KeyLimit limit : limits) {
            if (limit == null) {
                break;
            }
            first.add(limit);
        }
        return first.isEmpty() ? null : new FlattenedLimit(first);
    }

    @Override
    public Intervals at(Frame row) {
        List<byte[]> prefixes = List.of(START);
        boolean exact = true;
        for (KeyLimit element : elements) {
            Intervals values = element.at(row);
            exact &= values.exact();
            List<byte[]> longer = new ArrayList<>();
            List<Interval> ranges = new ArrayList<>();
            for (byte[] prefix : prefixes) {
                for (Interval interval : values.all()) {
                    Bound from = prefixed(prefix, interval.from());
                    ranges.add(new Interval(from, prefixed(prefix, interval.to()), false));
                    longer.add(from.bytes());
                }
            }
            boolean last = element == elements.getLast();
            if (!values.points() || last) {
                return new Intervals(ranges, exact && last);
            }
            prefixes = longer;
        }
        return Intervals.NONE;
    }

    private static Bound prefixed(byte[] prefix, Bound bound) {
        return new Bound(KeyEncoding.concat(prefix, bound.bytes()), bound.behind());
    }
}
