package io.millrace.n1ql.expression;

import io.millrace.n1ql.function.Functions;
import io.millrace.n1ql.function.spec.Bounds;
import io.millrace.n1ql.function.spec.FunctionSpec;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.FieldSightings;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.FieldName;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import io.millrace.n1ql.value.ValueBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compiles expressions to closures; constant parts are computed once, during compilation. */
public final class ExprCompiler {

    /** A constant that takes longer is computed when the statement runs, which can be cancelled and has a time-out. */
    private static final long CONSTANT_MILLIS = 1000;

    private final BlockChain blocks;
    private final SubqueryCompiler subqueries;
    private final Map<Expr, Integer> covers;

    public ExprCompiler(BlockChain blocks, SubqueryCompiler subqueries) {
        this(blocks, subqueries, Map.of());
    }

    /** @param covers slots in which a row may have the value of an expression already */
    public ExprCompiler(BlockChain blocks, SubqueryCompiler subqueries, Map<Expr, Integer> covers) {
        this.blocks = blocks;
        this.subqueries = subqueries;
        this.covers = covers;
    }

    public BlockChain blocks() {
        return blocks;
    }

    /** A constant. */
    record Constant(Value value) implements Eval {
        @Override
        public Value eval(Frame frame) {
            return value;
        }
    }

    /** Returns the value of a constant expression, or null. */
    public @Nullable Value constant(Expr expr) {
        return compile(expr) instanceof Constant constant ? constant.value() : null;
    }

    public @Nullable Eval optional(@Nullable Expr expr) {
        return expr == null ? null : compile(expr);
    }

    public Eval[] all(List<Expr> exprs) {
        return exprs.stream().map(this::compile).toArray(Eval[]::new);
    }

    public Eval compile(Expr expr) {
        Integer slot = covers.get(expr);
        if (slot == null) {
            return computed(expr);
        }
        Eval computed = computed(expr);
        return frame -> {
            Value known = frame.known(slot);
            return known == null ? computed.eval(frame) : known;
        };
    }

    private Eval computed(Expr expr) {
        return switch (expr) {
            case Expr.Literal literal -> new Constant(literal.value());
            case Expr.Param param -> frame -> frame.execution().parameter(param.name());
            case Expr.Ref ref -> ref(ref);
            case Expr.Field field -> field(field);
            case Expr.DynamicField field -> dynamicField(base(field.base()), compile(field.name()), field.ignoreCase());
            case Expr.Element element -> PathEvals.element(base(element.base()), compile(element.index()));
            case Expr.Slice slice -> PathEvals.slice(base(slice.base()), optional(slice.from()), optional(slice.to()));
            case Expr.Star star -> star.columns() ? PathEvals.columns(compile(star.base())) : base(star);
            case Expr.Operation operation
            when operation.op() == Expr.Op.EXISTS && operation.arg(0) instanceof Expr.Subquery subquery ->
                subqueries.exists(subquery.query(), blocks);
            case Expr.Operation operation -> operation(operation, all(operation.args()));
            case Expr.Call call -> call(call);
            case Expr.UserCall call -> userCall(call);
            case Expr.SequenceValue value ->
                frame -> Value.of(frame.execution().sequenceValue(value.path(), value.next()));
            case Expr.ArrayLiteral array -> array(all(array.items()));
            case Expr.ObjectLiteral object -> object(object);
            case Expr.Case cases -> cases(cases);
            case Expr.Quantified quantified -> CollectionEvals.quantified(quantified, this);
            case Expr.Comprehension comprehension -> CollectionEvals.comprehension(comprehension, this);
            case Expr.Subquery subquery -> subqueries.subquery(subquery.query(), blocks);
            case Expr.Name name -> throw new IllegalStateException("not looked up: " + name);
            case Expr.Self self -> throw new IllegalStateException("not looked up: " + self);
        };
    }

    private Eval ref(Expr.Ref ref) {
        int slot = ref.slot();
        int distance = blocks.distance(ref.block());
        return switch (distance) {
            case 0 -> frame -> frame.get(slot);
            case 1 -> frame -> frame.out(1).get(slot);
            default -> frame -> frame.out(distance).get(slot);
        };
    }

    /** Returns what a path continues from: behind a star, the elements. */
    private Eval base(Expr expr) {
        return expr instanceof Expr.Star star ? PathEvals.elements(compile(star.base())) : compile(expr);
    }

    private Eval field(Expr.Field field) {
        Eval base = base(field.base());
        FieldName name = field.ignoreCase() ? FieldName.ignoringCase(field.name()) : FieldName.of(field.name());
        if (PathEvals.isStarPath(field.base())) {
            return PathEvals.isColumnsPath(field.base())
                    ? PathEvals.fieldOfEach(base, name)
                    : PathEvals.fieldOfThoseThatHaveIt(base, name);
        }
        if (field.base() instanceof Expr.Ref ref && !field.ignoreCase()) {
            return PathEvals.watchedField(base, name, FieldSightings.bit(ref.block(), ref.slot(), field.name()));
        }
        return folded(frame -> base.eval(frame).field(name), base);
    }

    private static Eval dynamicField(Eval base, Eval name, boolean ignoreCase) {
        return frame -> {
            Value wanted = name.eval(frame);
            if (wanted instanceof StringValue text) {
                return base.eval(frame)
                        .field(ignoreCase ? FieldName.ignoringCase(text.text()) : FieldName.of(text.text()));
            }
            return wanted.isMissing() ? Value.MISSING : Value.NULL;
        };
    }

    private static Eval operation(Expr.Operation operation, Eval[] args) {
        return folded(OperatorEvals.of(operation, args), args);
    }

    private Eval call(Expr.Call call) {
        FunctionSpec spec = Functions.find(call.name());
        if (spec == null) {
            throw new IllegalStateException("no function " + call.name());
        }
        FunctionSpec.Body body = spec.body();
        Eval[] args = all(call.args());
        String shown = spec.name().toUpperCase(Locale.ROOT) + "()";
        Eval eval = switch (args.length) {
            case 1 -> frame -> Bounds.result(body.apply(new Value[] {args[0].eval(frame)}, frame.execution()), shown);
            default -> frame -> Bounds.result(body.apply(values(args, frame), frame.execution()), shown);
        };
        return spec.stable() ? folded(eval, args) : eval;
    }

    private Eval userCall(Expr.UserCall call) {
        List<String> path = call.path();
        Eval[] args = all(call.args());
        return frame -> frame.execution().call(path, values(args, frame));
    }

    static Value[] values(Eval[] evals, Frame frame) {
        Value[] values = new Value[evals.length];
        for (int i = 0; i < evals.length; i++) {
            values[i] = evals[i].eval(frame);
        }
        return values;
    }

    private static Eval array(Eval[] items) {
        return folded(frame -> Bounds.result(ArrayValue.of(Arrays.asList(values(items, frame))), "an array"), items);
    }

    private Eval object(Expr.ObjectLiteral object) {
        List<Expr> parts = new ArrayList<>();
        for (Expr.Member member : object.members()) {
            parts.add(member.name());
            parts.add(member.value());
        }
        Eval[] evals = all(parts);
        return folded(frame -> buildObject(evals, frame), evals);
    }

    private static Value buildObject(Eval[] evals, Frame frame) {
        Map<String, Value> fields = LinkedHashMap.newLinkedHashMap(evals.length / 2);
        for (int i = 0; i < evals.length; i += 2) {
            Value name = evals[i].eval(frame);
            if (name instanceof StringValue text) {
                Value value = evals[i + 1].eval(frame);
                if (!value.isMissing()) {
                    fields.put(text.text(), value);
                }
            } else if (!name.isMissing()) {
                return Value.NULL;
            }
        }
        return Bounds.result(ObjectValue.of(fields), "an object");
    }

    private Eval cases(Expr.Case cases) {
        Eval operand = optional(cases.operand());
        Eval otherwise = optional(cases.otherwise());
        Eval[] conditions =
                cases.whens().stream().map(when -> compile(when.condition())).toArray(Eval[]::new);
        Eval[] results =
                cases.whens().stream().map(when -> compile(when.result())).toArray(Eval[]::new);
        return frame -> {
            Value value = operand == null ? null : operand.eval(frame);
            for (int i = 0; i < conditions.length; i++) {
                Value condition = conditions[i].eval(frame);
                if (value == null ? condition.truth() : value.eq(condition).truth()) {
                    return results[i].eval(frame);
                }
            }
            return otherwise == null ? Value.NULL : otherwise.eval(frame);
        };
    }

    /**
     * Computes an expression at compile time if all its parts are constants and it is stable. Looks at what the parts have
     * been compiled to: to compile them again at each level would take 2^depth steps.
     */
    private static Eval folded(Eval eval, Eval... parts) {
        for (Eval part : parts) {
            if (!(part instanceof Constant)) {
                return eval;
            }
        }
        Execution execution = Execution.ofConstants(CONSTANT_MILLIS);
        try {
            Value value = ValueBytes.alone(eval.eval(new Frame(0, null, execution)));
            // runs on many threads share a constant, and may not share what is parsed on access
            return execution.warnings().isEmpty() && !ValueBytes.isParsedOnAccess(value) ? new Constant(value) : eval;
        } catch (RuntimeException e) {
            // it fails again at run time, if the statement evaluates it
            return eval;
        }
    }
}
