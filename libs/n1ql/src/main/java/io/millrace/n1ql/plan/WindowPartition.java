package io.millrace.n1ql.plan;

import io.millrace.n1ql.function.Functions;
import io.millrace.n1ql.function.Operators;
import io.millrace.n1ql.plan.WindowFrame.Bound;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.runtime.HeldBytes;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Expr.Bound.Kind;
import io.millrace.n1ql.syntax.Expr.Frame.Exclusion;
import io.millrace.n1ql.syntax.Expr.Frame.Unit;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.Value;
import io.millrace.n1ql.value.ValueBytes;
import java.util.List;
import java.util.function.IntPredicate;

/** Computes one window function over one partition. */
final class WindowPartition {

    private final Windows.Call call;
    private final List<Windows.Sorted> rows;
    private final HeldBytes held;
    private final int size;
    /** The range of the peers of a row, and the number of their group. */
    private final int[] peersFrom;

    private final int[] peersTo;
    private final int[] group;
    private int groups;
    /** The rows whose only sort key is a number, which are next to each other. */
    private int numbersFrom;

    private int numbersTo;

    /** @param held counts the values that are computed for the rows */
    WindowPartition(Windows.Call call, List<Windows.Sorted> rows, HeldBytes held) {
        this.call = call;
        this.held = held;
        this.rows = rows;
        this.size = rows.size();
        this.peersFrom = new int[size];
        this.peersTo = new int[size];
        this.group = new int[size];
        findPeers();
        findNumbers();
    }

    private void findPeers() {
        int number = 0;
        for (int start = 0; start < size; number++) {
            int end = start + 1;
            while (end < size && arePeers(start, end)) {
                end++;
            }
            for (int i = start; i < end; i++) {
                peersFrom[i] = start;
                peersTo[i] = end;
                group[i] = number;
            }
            start = end;
            groups = number + 1;
        }
    }

    private void findNumbers() {
        if (call.frame().unit() != Unit.RANGE || call.order().size() != 1) {
            return;
        }
        while (numbersFrom < size && !rows.get(numbersFrom).order()[0].isNumber()) {
            numbersFrom++;
        }
        numbersTo = numbersFrom;
        while (numbersTo < size && rows.get(numbersTo).order()[0].isNumber()) {
            numbersTo++;
        }
    }

    private boolean arePeers(int left, int right) {
        return call.order().compare(rows.get(left).order(), rows.get(right).order()) == 0;
    }

    private Frame row(int at) {
        return rows.get(at).row();
    }

    void compute() {
        String name = call.computed().call().name();
        if (Functions.isAggregate(name)) {
            if (call.frame().grows()) {
                growing();
            } else {
                moving();
            }
            return;
        }
        if (name.equals("ratio_to_report")) {
            ratios();
            return;
        }
        for (int i = 0; i < size; i++) {
            row(i).execution().step();
            set(i, value(name, i));
        }
    }

    private void set(int at, Value value) {
        row(at).set(call.computed().slot(), value);
    }

    private Value value(String name, int at) {
        return switch (name) {
            case "row_number" -> Value.of((long) at + 1);
            case "rank" -> Value.of((long) peersFrom[at] + 1);
            case "dense_rank" -> Value.of((long) group[at] + 1);
            case "percent_rank" -> size == 1 ? Value.of(0L) : number((double) peersFrom[at] / (size - 1));
            case "cume_dist" -> number((double) peersTo[at] / size);
            case "ntile" -> ntile(at);
            case "lag" -> neighbour(at, -1);
            case "lead" -> neighbour(at, 1);
            case "first_value" -> nth(at, 1, false);
            case "last_value" -> nth(at, 1, true);
            case "nth_value" -> nthValue(at);
            default -> throw new IllegalStateException("no window function: " + name);
        };
    }

    private static Value number(double value) {
        return NumberValue.integerIfExact(value);
    }

    private Value arg(int number, int at) {
        return call.args()[number].eval(row(at));
    }

    /** If the rows do not divide evenly, the first tiles have one row more. */
    private Value ntile(int at) {
        if (!(arg(0, at) instanceof NumberValue count) || !count.isWhole() || count.longValue() < 1) {
            return Value.NULL;
        }
        long tiles = Math.min(count.longValue(), size);
        long small = size / tiles;
        long larger = size % tiles;
        long inLarger = larger * (small + 1);
        return Value.of(at < inLarger ? at / (small + 1) + 1 : larger + (at - inLarger) / small + 1);
    }

    private boolean counts(Value value) {
        return !(call.over().ignoreNulls() && value.isUnknown());
    }

    private Value neighbour(int at, int direction) {
        Value distance = call.args().length > 1 ? arg(1, at) : Value.of(1L);
        if (!(distance instanceof NumberValue number) || !number.isWhole() || number.longValue() < 0) {
            return Value.NULL;
        }
        long left = number.longValue();
        int i = at;
        if (!call.over().ignoreNulls()) {
            i = (int) Math.max(-1, Math.min(size, (double) at + direction * (double) left));
            left = 0;
        }
        while (left > 0 && i >= 0 && i < size) {
            row(at).execution().step();
            i += direction;
            left -= i >= 0 && i < size && counts(arg(0, i)) ? 1 : 0;
        }
        if (i < 0 || i >= size) {
            return call.args().length > 2 ? arg(2, at) : Value.NULL;
        }
        return arg(0, i);
    }

    private Value nthValue(int at) {
        return arg(1, at) instanceof NumberValue number && number.isWhole() && number.longValue() > 0
                ? nth(at, number.longValue(), call.over().fromLast())
                : Value.NULL;
    }

    private Value nth(int at, long number, boolean fromLast) {
        int from = from(at);
        int to = to(at);
        if (call.frame().exclusion() == Exclusion.NONE && !call.over().ignoreNulls()) {
            if (number > to - from) {
                return Value.NULL;
            }
            return arg(0, (int) (fromLast ? to - number : from + number - 1));
        }
        long left = number;
        for (int step = 0; step < to - from; step++) {
            row(at).execution().step();
            int i = fromLast ? to - 1 - step : from + step;
            if (excluded(at, i)) {
                continue;
            }
            Value value = arg(0, i);
            if (counts(value) && --left == 0) {
                return value;
            }
        }
        return Value.NULL;
    }

    private void ratios() {
        RangeAggregate sum = ranges();
        for (int i = 0; i < size; i++) {
            row(i).execution().step();
            Value own = arg(0, i);
            set(
                    i,
                    own instanceof NumberValue
                            ? Operators.divide(own, inFrame(sum, i), row(i).execution())
                            : Value.NULL);
        }
    }

    // ---- aggregates

    /** The rows before are seen by all rows behind them. */
    private void growing() {
        Expr.Call expr = call.computed().call();
        Aggregates running = start(expr);
        int added = 0;
        Value last = null;
        for (int i = 0; i < size; i++) {
            int to = to(i);
            if (leadsNowhere(i)) {
                set(i, start(expr).result());
                continue;
            }
            if (to < added) {
                running = start(expr);
                added = 0;
                last = null;
            }
            if (last == null || added < to) {
                for (; added < to; added++) {
                    add(running, added);
                }
                last = running.result();
                held.add(ValueBytes.size(last));
            }
            set(i, last);
        }
    }

    private void moving() {
        Expr.Call expr = call.computed().call();
        RangeAggregate ranges = RangeAggregate.isPossible(expr) ? ranges() : null;
        for (int i = 0; i < size; i++) {
            Value result;
            if (ranges != null) {
                row(i).execution().step();
                result = inFrame(ranges, i);
            } else {
                Aggregates frame = start(expr);
                int to = to(i);
                for (int next = from(i); next < to; next++) {
                    if (!excluded(i, next)) {
                        add(frame, next);
                    }
                }
                result = frame.result();
            }
            held.add(ValueBytes.size(result));
            set(i, result);
        }
    }

    /** Returns what computes the aggregate of any rows next to each other. */
    private RangeAggregate ranges() {
        Value[] values = new Value[size];
        for (int i = 0; i < size; i++) {
            values[i] = counted(i);
            held.add(ValueBytes.size(values[i]));
        }
        return RangeAggregate.of(call.computed().call(), values, held);
    }

    private Value inFrame(RangeAggregate ranges, int at) {
        int from = from(at);
        int to = to(at);
        ranges.clear();
        switch (call.frame().exclusion()) {
            case NONE -> ranges.add(from, to);
            case CURRENT_ROW -> {
                ranges.add(from, Math.min(to, at));
                ranges.add(Math.max(from, at + 1), to);
            }
            case GROUP, TIES -> {
                ranges.add(from, Math.min(to, peersFrom[at]));
                ranges.add(Math.max(from, peersTo[at]), to);
                if (call.frame().exclusion() == Exclusion.TIES) {
                    ranges.add(Math.max(from, at), Math.min(to, at + 1));
                }
            }
        }
        return ranges.result();
    }

    private static Aggregates start(Expr.Call expr) {
        return Aggregates.of(expr.name(), expr.star(), expr.distinct());
    }

    private void add(Aggregates running, int at) {
        Value value = counted(at);
        if (!value.isMissing()) {
            running.add(value);
        }
    }

    /** Returns the argument for a row, MISSING if the row does not count. */
    private Value counted(int at) {
        Frame row = row(at);
        row.execution().step();
        Eval filter = call.filter();
        if (filter != null && !filter.eval(row).truth()) {
            return Value.MISSING;
        }
        return call.args().length == 0 ? Value.TRUE : arg(0, at);
    }

    // ---- frames

    private boolean excluded(int at, int other) {
        return switch (call.frame().exclusion()) {
            case NONE -> false;
            case CURRENT_ROW -> at == other;
            case GROUP -> group[at] == group[other];
            case TIES -> at != other && group[at] == group[other];
        };
    }

    /** Returns whether the frame is empty: a distance from a value that is not a number selects no rows. */
    private boolean leadsNowhere(int at) {
        if (call.frame().unit() != Unit.RANGE || call.order().size() != 1) {
            return false;
        }
        Value key = rows.get(at).order()[0];
        return call.frame().hasDistance() && !key.isNumber() && !key.isUnknown();
    }

    private int from(int at) {
        if (leadsNowhere(at)) {
            return size;
        }
        Bound bound = call.frame().from();
        return switch (bound.kind()) {
            case UNBOUNDED_PRECEDING -> 0;
            case UNBOUNDED_FOLLOWING -> size;
            case CURRENT_ROW -> call.frame().unit() == Unit.ROWS ? at : peersFrom[at];
            case PRECEDING, FOLLOWING -> edge(at, bound, true);
        };
    }

    private int to(int at) {
        if (leadsNowhere(at)) {
            return 0;
        }
        Bound bound = call.frame().to();
        return switch (bound.kind()) {
            case UNBOUNDED_PRECEDING -> 0;
            case UNBOUNDED_FOLLOWING -> size;
            case CURRENT_ROW -> call.frame().unit() == Unit.ROWS ? at + 1 : peersTo[at];
            case PRECEDING, FOLLOWING -> edge(at, bound, false);
        };
    }

    private int edge(int at, Bound bound, boolean start) {
        double distance = bound.distance(row(at));
        double signed = bound.kind() == Kind.PRECEDING ? -distance : distance;
        return switch (call.frame().unit()) {
            case ROWS -> (int) Math.max(0, Math.min(size, at + (double) (long) signed + (start ? 0 : 1)));
            case GROUPS -> groupEdge(group[at] + (double) (long) signed, start);
            case RANGE -> rangeEdge(at, signed, start);
        };
    }

    private int groupEdge(double wanted, boolean start) {
        if (wanted < 0) {
            return 0;
        }
        if (wanted >= groups) {
            return size;
        }
        int at = firstOf(0, size, i -> group[i] >= wanted);
        return start ? at : peersTo[at];
    }

    /** A distance in values of the only sort key, which must be a number; rows with other values see their peers. */
    private int rangeEdge(int at, double signed, boolean start) {
        if (call.order().size() != 1 || !(rows.get(at).order()[0] instanceof NumberValue key)) {
            return start ? peersFrom[at] : peersTo[at];
        }
        boolean descending = call.order().terms().getFirst().descending();
        Value limit = Value.of(key.doubleValue() + (descending ? -signed : signed));
        return firstOf(numbersFrom, numbersTo, i -> {
            Value other = rows.get(i).order()[0];
            int order = descending ? limit.compareTo(other) : other.compareTo(limit);
            return start ? order >= 0 : order > 0;
        });
    }

    /** Returns the first row in a range for which a condition is true, which it is then for all behind it; else the end. */
    private static int firstOf(int from, int to, IntPredicate condition) {
        int low = from;
        int high = to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (condition.test(middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
