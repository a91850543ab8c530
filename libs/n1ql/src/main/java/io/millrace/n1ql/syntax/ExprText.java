package io.millrace.n1ql.syntax;

import io.millrace.n1ql.syntax.Expr.Binding;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Expressions as text of the language, for messages and EXPLAIN. */
public final class ExprText {

    private ExprText() {}

    public static String of(Expr expr) {
        return switch (expr) {
            case Expr.Literal literal -> literal.value().toString();
            case Expr.Param param -> "$" + param.name();
            case Expr.Name name -> quote(name.name());
            case Expr.Ref ref -> ref.name().matches("\\w+") ? quote(ref.name()) : ref.name();
            case Expr.Self self -> "self";
            case Expr.Field field ->
                "(" + of(field.base()) + "." + quote(field.name()) + (field.ignoreCase() ? "i" : "") + ")";
            case Expr.DynamicField field ->
                "(" + of(field.base()) + ".[" + of(field.name()) + "]" + (field.ignoreCase() ? "i" : "") + ")";
            case Expr.Element element -> "(" + of(element.base()) + "[" + of(element.index()) + "])";
            case Expr.Slice slice ->
                "(" + of(slice.base()) + "[" + optional(slice.from()) + " : " + optional(slice.to()) + "])";
            case Expr.Star star -> "(" + of(star.base()) + (star.columns() ? "[*])" : "[])");
            case Expr.Operation operation -> operation(operation);
            case Expr.Call call -> call(call);
            case Expr.UserCall call -> call + "(" + list(call.args(), ExprText::of) + ")";
            case Expr.SequenceValue value -> "(" + value + ")";
            case Expr.ArrayLiteral array -> "[" + list(array.items(), ExprText::of) + "]";
            case Expr.ObjectLiteral object ->
                "{" + list(object.members(), member -> of(member.name()) + ": " + of(member.value())) + "}";
            case Expr.Case cases -> cases(cases);
            case Expr.Quantified quantified ->
                quantified
                                .quantifier()
                                .name()
                                .toLowerCase(java.util.Locale.ROOT)
                                .replace('_', ' ')
                        + " " + list(quantified.bindings(), ExprText::binding) + " satisfies "
                        + of(quantified.satisfies()) + " end";
            case Expr.Comprehension comprehension -> comprehension(comprehension);
            case Expr.Subquery subquery -> "correlated subquery";
        };
    }

    private static String quote(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    private static String optional(@Nullable Expr expr) {
        return expr == null ? "" : of(expr);
    }

    private static <T> String list(List<T> items, Function<T, String> text) {
        return items.stream().map(text).collect(Collectors.joining(", "));
    }

    private static String operation(Expr.Operation operation) {
        String op = operation.op().text();
        List<Expr> args = operation.args();
        return switch (operation.op()) {
            case NOT, NEGATE, EXISTS -> "(" + op + " " + of(args.getFirst()) + ")";
            case IS_NULL, IS_NOT_NULL, IS_MISSING, IS_NOT_MISSING, IS_VALUED, IS_NOT_VALUED ->
                "(" + of(args.getFirst()) + " " + op + ")";
            case BETWEEN -> "(" + of(args.get(0)) + " between " + of(args.get(1)) + " and " + of(args.get(2)) + ")";
            default -> args.stream().map(ExprText::of).collect(Collectors.joining(" " + op + " ", "(", ")"));
        };
    }

    private static String call(Expr.Call call) {
        String args = call.star() ? "*" : list(call.args(), ExprText::of);
        return call.name() + "(" + (call.distinct() ? "DISTINCT " : "") + args + ")"
                + (call.filter() == null ? "" : " FILTER (WHERE " + of(call.filter()) + ")")
                + (call.over() == null ? "" : " OVER (" + over(call.over()) + ")");
    }

    private static String over(Expr.Over over) {
        StringJoiner text = new StringJoiner(" ");
        if (!over.partition().isEmpty()) {
            text.add("PARTITION BY " + list(over.partition(), ExprText::of));
        }
        if (!over.order().isEmpty()) {
            text.add("ORDER BY " + list(over.order(), term -> of(term.expr()) + (term.descending() ? " DESC" : "")));
        }
        return text.toString();
    }

    private static String cases(Expr.Case cases) {
        return "case" + (cases.operand() == null ? "" : " " + of(cases.operand()))
                + cases.whens().stream()
                        .map(when -> " when " + of(when.condition()) + " then " + of(when.result()))
                        .collect(Collectors.joining())
                + (cases.otherwise() == null ? "" : " else " + of(cases.otherwise())) + " end";
    }

    private static String binding(Binding binding) {
        return (binding.key() == null ? "" : quote(binding.key()) + ":")
                + quote(binding.variable())
                + (binding.within() ? " within " : " in ")
                + of(binding.source());
    }

    private static String comprehension(Expr.Comprehension comprehension) {
        return comprehension.kind().name().toLowerCase(java.util.Locale.ROOT) + " "
                + (comprehension.name() == null ? "" : of(comprehension.name()) + " : ")
                + of(comprehension.value())
                + comprehension.levels().stream()
                        .map(level -> " for " + list(level, ExprText::binding))
                        .collect(Collectors.joining())
                + (comprehension.when() == null ? "" : " when " + of(comprehension.when())) + " end";
    }
}
