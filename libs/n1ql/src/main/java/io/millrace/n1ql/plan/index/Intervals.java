package io.millrace.n1ql.plan.index;

import io.millrace.n1ql.plan.index.EntryRanges.Bound;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The values of a key that a condition allows, in ascending order; they do not overlap.
 *
 * @param exact whether the condition is true for all values of the intervals; if not, it is checked again
 */
record Intervals(List<Interval> all, boolean exact) {

    /** @param point whether it has one value, whose encoding is complete */
    record Interval(Bound from, Bound to, boolean point) {

        boolean contains(Interval other) {
            return !from.isBehind(other.from) && !other.to.isBehind(to);
        }
    }

    /** More intervals are replaced by one around all of them. */
    private static final int MOST = 1024;

    private static final Bound MISSING_END = new Bound(new byte[] {KeyEncoding.MISSING}, true);
    private static final Bound NULL_START = new Bound(new byte[] {KeyEncoding.NULL}, false);
    private static final Bound TRUE_START = new Bound(new byte[] {KeyEncoding.TRUE}, false);

    static final Intervals NONE = new Intervals(List.of(), true);
    static final Intervals NOT_MISSING = of(MISSING_END, Bound.END, true);
    static final Intervals VALUED = of(Bound.FIRST_VALUE, Bound.END, true);
    static final Intervals NULL = of(NULL_START, Bound.FIRST_VALUE, true);
    static final Intervals NOT_NULL = VALUED;
    /** WHERE accepts these and only these, but some of them are empty. */
    static final Intervals TRUE_OR_MORE = of(TRUE_START, Bound.END, false);

    static Intervals of(Bound from, Bound to, boolean exact) {
        return to.isBehind(from) ? new Intervals(List.of(new Interval(from, to, false)), exact) : NONE;
    }

    static Intervals equalTo(Value value) {
        if (value.isUnknown()) {
            return NONE;
        }
        Interval only = new Interval(Bound.from(value, true), Bound.to(value, true), KeyEncoding.isExact(value));
        return new Intervals(List.of(only), isComparedByBytes(value));
    }

    static Intervals notEqualTo(Value value) {
        if (value.isUnknown()) {
            return NONE;
        }
        if (!KeyEncoding.isExact(value)) {
            return new Intervals(VALUED.all, false);
        }
        Intervals less = of(Bound.FIRST_VALUE, Bound.to(value, false), true);
        Intervals greater = of(Bound.from(value, false), Bound.END, true);
        Intervals both = less.or(greater);
        return new Intervals(both.all, isComparedByBytes(value));
    }

    static Intervals from(Value value, boolean included) {
        return value.isUnknown() ? NONE : of(Bound.from(value, included), Bound.END, isComparedByBytes(value));
    }

    static Intervals to(Value value, boolean included) {
        return value.isUnknown() ? NONE : of(Bound.FIRST_VALUE, Bound.to(value, included), isComparedByBytes(value));
    }

    static Intervals startingWith(String prefix, boolean exact) {
        byte[] bytes = KeyEncoding.prefix(prefix);
        return of(new Bound(bytes, false), new Bound(bytes, true), exact);
    }

    /** Arrays and objects with NULL or MISSING inside equal nothing, whatever their bytes. */
    private static boolean isComparedByBytes(Value value) {
        return !value.isArray() && !value.isObject() && KeyEncoding.isExact(value);
    }

    boolean points() {
        return all.stream().allMatch(Interval::point);
    }

    Intervals and(Intervals other) {
        List<Interval> both = new ArrayList<>();
        int left = 0;
        int right = 0;
        while (left < all.size() && right < other.all.size()) {
            Interval a = all.get(left);
            Interval b = other.all.get(right);
            Bound from = a.from().isBehind(b.from()) ? a.from() : b.from();
            Bound to = a.to().isBehind(b.to()) ? b.to() : a.to();
            if (to.isBehind(from)) {
                both.add(new Interval(from, to, a.point() || b.point()));
            }
            if (a.to().isBehind(b.to())) {
                right++;
            } else {
                left++;
            }
        }
        return new Intervals(both, exact && other.exact);
    }

    Intervals or(Intervals other) {
        List<Interval> sorted = new ArrayList<>(all);
        sorted.addAll(other.all);
        return union(sorted, exact && other.exact);
    }

    static Intervals equalToAny(List<Value> values) {
        List<Interval> sorted = new ArrayList<>();
        boolean exact = true;
        for (Value value : values) {
            Intervals own = equalTo(value);
            sorted.addAll(own.all);
            exact &= own.exact;
        }
        return union(sorted, exact);
    }

    private static Intervals union(List<Interval> sorted, boolean exact) {
        sorted.sort(Comparator.comparing(
                Interval::from, (left, right) -> left.isBehind(right) ? 1 : right.isBehind(left) ? -1 : 0));
        List<Interval> united = new ArrayList<>();
        for (Interval next : sorted) {
            Interval last = united.isEmpty() ? null : united.getLast();
            if (last == null || !last.to().isBehind(next.from())) {
                united.add(next);
            } else if (!last.contains(next)) {
                Bound to = last.to().isBehind(next.to()) ? last.to() : next.to();
                united.set(united.size() - 1, new Interval(last.from(), to, false));
            }
        }
        if (united.size() <= MOST) {
            return new Intervals(united, exact);
        }
        return of(united.getFirst().from(), united.getLast().to(), false);
    }

    /** Returns whether all values of these are among others. */
    boolean isWithin(Intervals others) {
        return all.stream().allMatch(own -> others.all.stream().anyMatch(other -> other.contains(own)));
    }
}
