package io.millrace.n1ql.syntax;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.function.Functions;
import io.millrace.n1ql.grammar.N1qlParser;
import io.millrace.n1ql.grammar.N1qlParser.*;
import io.millrace.n1ql.syntax.Expr.Binding;
import io.millrace.n1ql.syntax.Expr.Comprehension.Kind;
import io.millrace.n1ql.syntax.Expr.Literal;
import io.millrace.n1ql.syntax.Expr.Member;
import io.millrace.n1ql.syntax.Expr.Name;
import io.millrace.n1ql.syntax.Expr.Op;
import io.millrace.n1ql.syntax.Expr.Operation;
import io.millrace.n1ql.syntax.Expr.Quantified.Quantifier;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.antlr.v4.runtime.ParserRuleContext;
import org.jspecify.annotations.Nullable;

/** Makes expressions of the parser's tree. */
final class ExprBuilder {

    /** The parts of a path that ends with {@code [*]}: the path before, two brackets and the star. */
    private static final int STAR_IN_BRACKETS = 4;

    private final QueryBuilder queries;
    /** By their place in the text. */
    private final Map<Integer, String> parameters = new TreeMap<>();

    private final List<Expr.UserCall> userCalls = new ArrayList<>();

    private final List<Integer> questionMarks;

    ExprBuilder(QueryBuilder queries, List<Integer> questionMarks) {
        this.questionMarks = questionMarks;
        this.queries = queries;
    }

    @Nullable
    Expr optional(@Nullable ExprContext context) {
        return context == null ? null : expr(context);
    }

    List<Expr> exprs(List<ExprContext> contexts) {
        List<Expr> exprs = new ArrayList<>();
        contexts.forEach(context -> exprs.add(expr(context)));
        return exprs;
    }

    Expr expr(ExprContext context) {
        return switch (context) {
            case NotExprContext not -> operation(Op.NOT, not, expr(not.expr()));
            case AndExprContext and -> chain(Op.AND, and, and.expr(0), and.expr(1));
            case OrExprContext or -> chain(Op.OR, or, or.expr(0), or.expr(1));
            case PredicateExprContext predicate -> predicate(predicate.predicate());
            default -> throw new IllegalStateException(context.getText());
        };
    }

    /** {@code a AND b AND c} is one operation of three. */
    private Expr chain(Op op, ExprContext context, ExprContext left, ExprContext right) {
        List<Expr> args = new ArrayList<>();
        for (ExprContext side : List.of(left, right)) {
            Expr arg = expr(side);
            boolean same = arg instanceof Operation operation && operation.op() == op && !parenthesized(side);
            args.addAll(same ? ((Operation) arg).args() : List.of(arg));
        }
        return new Operation(op, args, TokenText.place(context));
    }

    private static boolean parenthesized(ExprContext context) {
        return context instanceof PredicateExprContext;
    }

    private static Expr operation(Op op, ParserRuleContext context, Expr... args) {
        return new Operation(op, List.of(args), TokenText.place(context));
    }

    private static Expr negated(boolean negated, Expr expr, ParserRuleContext context) {
        return negated ? operation(Op.NOT, context, expr) : expr;
    }

    private Expr predicate(PredicateContext context) {
        return switch (context) {
            case ValuePredicateContext plain -> value(plain.value());
            case ExistsPredicateContext exists -> operation(Op.EXISTS, exists, predicate(exists.predicate()));
            case IsPredicateContext is -> is(is);
            case DistinctPredicateContext distinct ->
                operation(
                        distinct.NOT() == null ? Op.IS_DISTINCT : Op.IS_NOT_DISTINCT,
                        distinct,
                        predicate(distinct.predicate()),
                        value(distinct.value()));
            case InPredicateContext in ->
                negated(in.NOT() != null, operation(Op.IN, in, predicate(in.predicate()), value(in.value())), in);
            case WithinPredicateContext in ->
                negated(in.NOT() != null, operation(Op.WITHIN, in, predicate(in.predicate()), value(in.value())), in);
            case BetweenPredicateContext between ->
                negated(
                        between.NOT() != null,
                        operation(
                                Op.BETWEEN,
                                between,
                                predicate(between.predicate()),
                                value(between.value(0)),
                                value(between.value(1))),
                        between);
            case LikePredicateContext like -> negated(like.NOT() != null, like(like), like);
            case OrderPredicateContext order ->
                comparison(order, order.op.getText(), order.predicate(), order.predicateOperand());
            case EqualPredicateContext equal ->
                comparison(equal, equal.op.getText(), equal.predicate(), equal.predicateOperand());
            default -> throw new IllegalStateException(context.getText());
        };
    }

    private Expr comparison(
            ParserRuleContext context, String text, PredicateContext left, PredicateOperandContext right) {
        Op op = switch (text) {
            case "<" -> Op.LT;
            case "<=" -> Op.LE;
            case ">" -> Op.GT;
            case ">=" -> Op.GE;
            case "=", "==" -> Op.EQ;
            default -> Op.NE;
        };
        return operation(op, context, predicate(left), operand(right));
    }

    private Expr operand(PredicateOperandContext context) {
        return context.NOT() != null
                ? operation(Op.NOT, context, operand(context.predicateOperand()))
                : value(context.value());
    }

    private Expr is(IsPredicateContext is) {
        boolean not = is.NOT() != null;
        Op op = switch (is.what.getType()) {
            case N1qlParser.NULL -> not ? Op.IS_NOT_NULL : Op.IS_NULL;
            case N1qlParser.MISSING -> not ? Op.IS_NOT_MISSING : Op.IS_MISSING;
            case N1qlParser.UNKNOWN -> not ? Op.IS_VALUED : Op.IS_NOT_VALUED;
            default -> not ? Op.IS_NOT_VALUED : Op.IS_VALUED;
        };
        return operation(op, is, predicate(is.predicate()));
    }

    private Expr like(LikePredicateContext like) {
        Expr subject = predicate(like.predicate());
        Expr pattern = value(like.value(0));
        return like.ESCAPE() == null
                ? operation(Op.LIKE, like, subject, pattern)
                : operation(Op.LIKE, like, subject, pattern, value(like.value(1)));
    }

    Expr value(ValueContext context) {
        return switch (context) {
            case PathValueContext path -> path(path.path());
            case PlusValueContext plus -> value(plus.value());
            case NegateValueContext negate -> negate(negate);
            case ConcatValueContext concat ->
                operation(Op.CONCAT, concat, value(concat.value(0)), value(concat.value(1)));
            case AddValueContext add ->
                operation(
                        add.op.getText().equals("+") ? Op.ADD : Op.SUBTRACT,
                        add,
                        value(add.value(0)),
                        value(add.value(1)));
            case MultiplyValueContext multiply -> {
                Op op = switch (multiply.op.getText().toLowerCase(Locale.ROOT)) {
                    case "*" -> Op.MULTIPLY;
                    case "/" -> Op.DIVIDE;
                    case "%" -> Op.MODULO;
                    case "div" -> Op.INTEGER_DIVIDE;
                    default -> Op.INTEGER_MODULO;
                };
                yield operation(op, multiply, value(multiply.value(0)), value(multiply.value(1)));
            }
            default -> throw new IllegalStateException(context.getText());
        };
    }

    /** The smallest integer can only be read together with its sign. */
    private Expr negate(NegateValueContext context) {
        String digits = context.value().getText();
        if (digits.matches("[0-9]+") || digits.matches("[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) {
            return number("-" + digits);
        }
        return operation(Op.NEGATE, context, value(context.value()));
    }

    private static Expr number(String text) {
        try {
            return new Literal(Value.of(Long.parseLong(text)));
        } catch (NumberFormatException e) {
            return new Literal(Value.of(Double.parseDouble(text)));
        }
    }

    Expr path(PathContext context) {
        return switch (context) {
            case PrimaryPathContext primary -> primary(primary.primary());
            case FieldPathContext field -> field(path(field.path()), field.fieldStep());
            case ElementPathContext element ->
                new Expr.Element(path(element.path(), element.elementEnd()), expr(element.expr()));
            case SlicePathContext slice ->
                new Expr.Slice(path(slice.path(), slice.elementEnd()), optional(slice.from), optional(slice.to));
            case StarPathContext star ->
                new Expr.Star(path(star.path(), star.elementEnd()), star.getChildCount() == STAR_IN_BRACKETS);
            default -> throw new IllegalStateException(context.getText());
        };
    }

    /** Refuses the {@code i} of a field in any case where it would be taken as the alias of an element. */
    private Expr path(PathContext base, ElementEndContext end) {
        if (end.joined != null) {
            throw TokenText.place(end.joined)
                    .error(
                            ErrorCode.SYNTAX,
                            "syntax error - an i behind an element: write .[...]i for a field in any case, or a blank"
                                    + " in front of an alias");
        }
        return path(base);
    }

    private Expr field(Expr base, FieldStepContext step) {
        Place place = TokenText.place(step);
        if (step.name() != null) {
            return new Expr.Field(base, TokenText.name(step.name()), false, place);
        }
        if (step.QUOTED_I() != null) {
            return new Expr.Field(
                    base, TokenText.unquoteNameIgnoringCase(step.QUOTED_I().getText()), true, place);
        }
        return step.expr() != null
                ? new Expr.DynamicField(base, expr(step.expr()), step.ignoreCase != null)
                : new Expr.Field(base, TokenText.word(step.anyWord()), false, place);
    }

    private Expr primary(PrimaryContext context) {
        return switch (context) {
            case LiteralPrimaryContext literal -> literal(literal.literal());
            case ParamPrimaryContext param -> param(param.param());
            case FunctionPrimaryContext function -> function(function.function());
            case NamePrimaryContext name -> new Name(TokenText.name(name.name()), false, TokenText.place(name));
            case NameIgnoringCasePrimaryContext name ->
                new Name(TokenText.unquoteNameIgnoringCase(name.getText()), true, TokenText.place(name));
            case SubqueryPrimaryContext subquery -> new Expr.Subquery(queries.query(subquery.query()));
            case ParenthesesPrimaryContext parentheses -> expr(parentheses.expr());
            case ArrayPrimaryContext array -> new Expr.ArrayLiteral(exprs(array.expr()));
            case ObjectPrimaryContext object -> object(object);
            case CasePrimaryContext cases -> cases(cases);
            case CollectionPrimaryContext collection -> collection(collection.collection());
            case SelfPrimaryContext self -> new Expr.Self(TokenText.place(self));
            default -> throw new IllegalStateException(context.getText());
        };
    }

    private static Expr literal(LiteralContext context) {
        if (context.STRING() != null) {
            return new Literal(Value.of(TokenText.unquote(context.getText())));
        }
        if (context.INTEGER() != null) {
            return number(context.getText());
        }
        if (context.DECIMAL() != null) {
            return new Literal(Value.of(Double.parseDouble(context.getText())));
        }
        if (context.TRUE() != null || context.FALSE() != null) {
            return new Literal(Value.of(context.TRUE() != null));
        }
        return new Literal(context.NULL() != null ? Value.NULL : Value.MISSING);
    }

    /** Returns the calls of functions that are not those of the language. */
    List<Expr.UserCall> userCalls() {
        return List.copyOf(userCalls);
    }

    Expr.UserCall userCall(List<String> path, List<Expr> args, Place place) {
        Expr.UserCall call = new Expr.UserCall(path, args, place);
        userCalls.add(call);
        return call;
    }

    /** Returns the names of the parameters met so far, in the order of the text. */
    Set<String> parameters() {
        return new LinkedHashSet<>(parameters.values());
    }

    Expr.Param param(ParamContext context) {
        Expr.Param param = readParam(context);
        parameters.put(context.getStart().getStartIndex(), param.name());
        return param;
    }

    private Expr.Param readParam(ParamContext context) {
        Place place = TokenText.place(context);
        if (context.NAMED() != null || context.POSITIONAL() != null) {
            return new Expr.Param(context.getText().substring(1), place);
        }
        if (context.name() != null) {
            return new Expr.Param(TokenText.name(context.name()), place);
        }
        return context.anyWord() != null
                ? new Expr.Param(TokenText.word(context.anyWord()), place)
                : new Expr.Param(
                        Integer.toString(
                                questionMarks.indexOf(context.getStart().getStartIndex()) + 1),
                        place);
    }

    private Expr object(ObjectPrimaryContext context) {
        List<Member> members = new ArrayList<>();
        for (MemberContext member : context.member()) {
            Expr first = expr(member.expr(0));
            if (member.expr().size() > 1) {
                members.add(new Member(first, expr(member.expr(1))));
            } else {
                String name = Aliases.implied(first);
                if (name == null) {
                    throw TokenText.place(member)
                            .error(
                                    io.millrace.n1ql.ErrorCode.SYNTAX,
                                    "Object member missing name or value: " + member.getText());
                }
                members.add(new Member(new Literal(Value.of(name)), first));
            }
        }
        return new Expr.ObjectLiteral(members);
    }

    private Expr cases(CasePrimaryContext context) {
        List<Expr.When> whens = new ArrayList<>();
        List<ExprContext> parts = new ArrayList<>(context.expr());
        Expr operand = optional(context.operand);
        Expr otherwise = optional(context.elseExpr);
        if (operand != null) {
            parts.removeFirst();
        }
        if (otherwise != null) {
            parts.removeLast();
        }
        for (int i = 0; i < parts.size(); i += 2) {
            whens.add(new Expr.When(expr(parts.get(i)), expr(parts.get(i + 1))));
        }
        return new Expr.Case(operand, whens, otherwise);
    }

    private Expr collection(CollectionContext context) {
        return switch (context) {
            case AnyCollectionContext any ->
                new Expr.Quantified(
                        any.EVERY() == null ? Quantifier.ANY : Quantifier.ANY_AND_EVERY,
                        bindings(any.comprehensionBinding()),
                        expr(any.expr()));
            case EveryCollectionContext every ->
                new Expr.Quantified(Quantifier.EVERY, bindings(every.comprehensionBinding()), expr(every.expr()));
            case ArrayCollectionContext array ->
                new Expr.Comprehension(
                        array.FIRST() == null ? Kind.ARRAY : Kind.FIRST,
                        null,
                        expr(array.expr(0)),
                        levels(array),
                        array.WHEN() == null ? null : expr(array.expr(1)));
            case ObjectCollectionContext object ->
                new Expr.Comprehension(
                        Kind.OBJECT,
                        expr(object.nameExpr),
                        expr(object.valueExpr),
                        levels(object),
                        optional(object.whenExpr));
            default -> throw new IllegalStateException(context.getText());
        };
    }

    private List<Binding> bindings(List<ComprehensionBindingContext> contexts) {
        List<Binding> bindings = new ArrayList<>();
        contexts.forEach(context -> bindings.add(binding(context)));
        return bindings;
    }

    /** Groups bindings by the FOR that they stand behind. */
    List<List<Binding>> levels(ParserRuleContext context) {
        List<List<Binding>> levels = new ArrayList<>();
        for (int i = 0; i < context.getChildCount(); i++) {
            if (context.getChild(i).getText().equalsIgnoreCase("for")
                    && context.getChild(i + 1) instanceof ComprehensionBindingContext) {
                levels.add(new ArrayList<>());
            } else if (context.getChild(i) instanceof ComprehensionBindingContext binding) {
                levels.getLast().add(binding(binding));
            }
        }
        return levels;
    }

    private Binding binding(ComprehensionBindingContext context) {
        List<String> names = TokenText.names(context.name());
        return new Binding(
                names.size() > 1 ? names.getFirst() : null,
                names.getLast(),
                context.WITHIN() != null,
                expr(context.expr()),
                -1,
                -1,
                TokenText.place(context));
    }

    private Expr function(FunctionContext context) {
        String name = String.join(".", TokenText.names(context.functionName().name()));
        if (name.isEmpty()) {
            name = context.functionName().getText();
        }
        boolean plain =
                context.star == null && context.distinct == null && context.filter() == null && context.over() == null;
        if (plain && SequenceWords.isFunction(name)) {
            return SequenceWords.value(name, exprs(context.expr()), TokenText.place(context));
        }
        if (plain && !FunctionCheck.isKnown(name)) {
            return userCall(
                    TokenText.names(context.functionName().name()), exprs(context.expr()), TokenText.place(context));
        }
        refuseModifiers(name, context);
        if (name.equalsIgnoreCase(ListAggregate.NAME)) {
            return ListAggregate.of(call("array_agg", exprs(context.expr()), context));
        }
        return FunctionCheck.checked(call(name.toLowerCase(Locale.ROOT), exprs(context.expr()), context));
    }

    private Expr.Call call(String name, List<Expr> args, FunctionContext context) {
        return new Expr.Call(
                name,
                args,
                context.star != null,
                context.distinct != null,
                context.filter() == null ? null : expr(context.filter().expr()),
                context.over() == null ? null : queries.over(context),
                TokenText.place(context));
    }

    /** Refuses words that belong to window functions or aggregates behind the name of another function. */
    private static void refuseModifiers(String name, FunctionContext context) {
        ParserRuleContext modifier = context.nthFrom() == null ? context.nulls() : context.nthFrom();
        if (modifier != null && context.over() == null) {
            throw TokenText.place(modifier)
                    .error(
                            ErrorCode.WINDOW,
                            modifier.getStart().getText().toUpperCase(Locale.ROOT)
                                    + " behind a function needs OVER: it chooses among the rows of a window");
        }
        if (context.ALL() != null && !Functions.isAggregate(name)) {
            throw TokenText.place(context).error(ErrorCode.SYNTAX, "syntax error - " + name + " is not an aggregate");
        }
    }
}
