package io.millrace.n1ql.plan;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.expression.BlockChain;
import io.millrace.n1ql.expression.ExprCompiler;
import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.QueryPlan;
import io.millrace.n1ql.plan.spill.RowSizes;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.runtime.HeldBytes;
import io.millrace.n1ql.syntax.Query;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A common table expression that refers to itself: the rows of the anchor, then round by round those of the step, which
 * sees the rows of the round before. Ends with a round that brings nothing new, or at the limits that its options set.
 */
final class RecursivePlan implements Eval {

    private final Eval anchor;
    private final QueryPlan step;
    private final int slot;
    private final Query.Recursion recursion;
    private final Eval[] cycle;
    private final @Nullable Eval options;

    private RecursivePlan(
            Eval anchor, QueryPlan step, int slot, Query.Recursion recursion, Eval[] cycle, @Nullable Eval options) {
        this.anchor = anchor;
        this.step = step;
        this.slot = slot;
        this.recursion = recursion;
        this.cycle = cycle;
        this.options = options;
    }

    static RecursivePlan of(
            QueryPlanner planner, BlockChain blocks, ExprCompiler compiler, Query.Cte cte, Query.Recursion recursion) {
        return new RecursivePlan(
                compiler.compile(cte.expr()),
                planner.plan(Objects.requireNonNull(recursion.step()), blocks, true),
                cte.slot(),
                recursion,
                recursion.cycle().stream().map(compiler::compile).toArray(Eval[]::new),
                compiler.optional(recursion.options()));
    }

    @Override
    public Value eval(Frame frame) {
        Limits limits = Limits.of(options == null ? null : options.eval(frame));
        Rounds rounds = new Rounds(frame, limits.documents, HeldBytes.ofNext(this, frame.execution()));
        ((ArrayValue) anchor.eval(frame)).forEach(rounds::add);
        for (long level = 0; level < limits.levels && rounds.goOn(); level++) {
            frame.execution().check();
            frame.set(slot, rounds.next());
            try (Cursor<Value> rows = step.open(frame)) {
                for (Value row = rows.next(); row != null && rounds.hasRoom(); row = rows.next()) {
                    frame.execution().step();
                    rounds.add(row);
                }
            }
        }
        return ArrayValue.of(rounds.all);
    }

    private final class Rounds {

        private final Frame frame;
        private final long most;
        private final HeldBytes held;
        private final List<Value> all = new ArrayList<>();
        private final Set<Value> known = new HashSet<>();
        private final Set<List<Value>> passed = new HashSet<>();
        private List<Value> round = new ArrayList<>();

        Rounds(Frame frame, long most, HeldBytes held) {
            this.frame = frame;
            this.most = most;
            this.held = held;
        }

        boolean hasRoom() {
            return all.size() < most;
        }

        boolean goOn() {
            return !round.isEmpty() && hasRoom();
        }

        Value next() {
            Value last = ArrayValue.of(round);
            round = new ArrayList<>();
            return last;
        }

        void add(Value row) {
            if (hasRoom() && (recursion.all() || known.add(row)) && isNoCycle(row)) {
                held.add(RowSizes.of(row));
                all.add(row);
                round.add(row);
            }
        }

        private boolean isNoCycle(Value row) {
            if (cycle.length == 0) {
                return true;
            }
            frame.set(recursion.rowSlot(), row);
            List<Value> values = new ArrayList<>(cycle.length);
            for (Eval one : cycle) {
                values.add(one.eval(frame));
            }
            boolean isNew = passed.add(values);
            held.add(isNew ? RowSizes.of(values.toArray(new Value[0])) : 0);
            return isNew;
        }
    }

    private record Limits(long levels, long documents) {

        static Limits of(@Nullable Value options) {
            if (options == null) {
                return new Limits(Long.MAX_VALUE, Long.MAX_VALUE);
            }
            if (!(options instanceof ObjectValue object)) {
                throw QueryException.of(
                        ErrorCode.RECURSION_OPTION, "OPTIONS must be an object, for example {\"levels\": 10}");
            }
            long levels = Long.MAX_VALUE;
            long documents = Long.MAX_VALUE;
            for (Map.Entry<String, Value> option : object.fields().entrySet()) {
                if (!(option.getValue() instanceof NumberValue number)) {
                    throw QueryException.of(
                            ErrorCode.INTERNAL,
                            "Execution internal error: Configuration options must be numeric ('%s' is %s)"
                                    .formatted(
                                            option.getKey(),
                                            option.getValue().type().label()));
                }
                switch (option.getKey().toLowerCase(Locale.ROOT)) {
                    case "levels" -> levels = (long) number.doubleValue();
                    case "documents" -> documents = (long) number.doubleValue();
                    default ->
                        throw QueryException.of(ErrorCode.RECURSION_OPTION, "Invalid config option " + option.getKey());
                }
            }
            return new Limits(levels, documents);
        }
    }
}
