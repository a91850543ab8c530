package io.millrace.n1ql.plan;

import io.millrace.n1ql.function.Functions;
import io.millrace.n1ql.function.Operators;
import io.millrace.n1ql.plan.WindowFrame.Bound;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.runtime.HeldBytes;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Expr.Bound.Kind;
import io.millrace.n1ql.syntax.Expr.Frame.Unit;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.Value;
import io.millrace.n1ql.value.ValueBytes;
import java.util.List;

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
            aggregate();
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
            case "ratio_to_report" -> ratio(at);
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
        while (left > 0) {
            i += direction;
            if (i < 0 || i >= size) {
                return call.args().length > 2 ? arg(2, at) : Value.NULL;
            }
            left -= counts(arg(0, i)) ? 1 : 0;
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
        long left = number;
        for (int step = 0; step < to - from; step++) {
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

    private Value ratio(int at) {
        Value own = arg(0, at);
        Aggregates sum = Aggregates.of("sum", false, false);
        for (int i = from(at); i < to(at); i++) {
            Value value = arg(0, i);
            if (!excluded(at, i) && !value.isMissing()) {
                sum.add(value);
            }
        }
        return own instanceof NumberValue ? Operators.divide(own, sum.result(), row(at).execution()) : Value.NULL;
    }

    // ---- aggregates

    private void aggregate() {
        Expr.Call expr = call.computed().call();
        Aggregates running = start(expr);
        boolean grows = call.frame().grows();
        int added = 0;
        Value last = null;
        int lastTo = -1;
        for (int i = 0; i < size; i++) {
            int to = to(i);
            if (leadsNowhere(i)) {
                set(i, start(expr).result());
                continue;
            }
            if (grows && to == lastTo && last != null) {
                set(i, last);
                continue;
            }
            if (!grows) {
                running = start(expr);
                added = from(i);
            }
            for (int next = added; next < to; next++) {
                if (!excluded(i, next)) {
                    add(running, next);
                }
            }
            added = Math.max(added, to);
            last = running.result();
            held.add(ValueBytes.size(last));
            lastTo = to;
            set(i, last);
        }
    }

    private static Aggregates start(Expr.Call expr) {
        return Aggregates.of(expr.name(), expr.star(), expr.distinct());
    }

    private void add(Aggregates running, int at) {
        Frame row = row(at);
        row.execution().step();
        Eval filter = call.filter();
        if (filter != null && !filter.eval(row).truth()) {
            return;
        }
        Value value = call.args().length == 0 ? Value.TRUE : arg(0, at);
        if (!value.isMissing()) {
            running.add(value);
        }
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
            case ROWS -> (int) Math.max(0, Math.min(size, at + (long) signed + (start ? 0 : 1)));
            case GROUPS -> groupEdge(group[at] + (long) signed, start);
            case RANGE -> rangeEdge(at, signed, start);
        };
    }

    private int groupEdge(long wanted, boolean start) {
        if (wanted < 0) {
            return 0;
        }
        for (int i = 0; i < size; i++) {
            if (group[i] == wanted) {
                return start ? i : peersTo[i];
            }
        }
        return size;
    }

    /** A distance in values of the only sort key, which must be a number; rows with other values see their peers. */
    private int rangeEdge(int at, double signed, boolean start) {
        if (call.order().size() != 1 || !(rows.get(at).order()[0] instanceof NumberValue key)) {
            return start ? peersFrom[at] : peersTo[at];
        }
        boolean descending = call.order().terms().getFirst().descending();
        Value limit = Value.of(key.doubleValue() + (descending ? -signed : signed));
        int i = 0;
        while (i < size) {
            Value other = rows.get(i).order()[0];
            int order = descending ? limit.compareTo(other) : other.compareTo(limit);
            if (start ? order >= 0 : order > 0) {
                break;
            }
            i++;
        }
        return i;
    }
}
