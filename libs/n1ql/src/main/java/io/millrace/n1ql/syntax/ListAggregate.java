package io.millrace.n1ql.syntax;

import io.millrace.n1ql.syntax.Expr.Binding;
import io.millrace.n1ql.syntax.Expr.Comprehension;
import io.millrace.n1ql.syntax.Expr.Op;
import io.millrace.n1ql.value.Value;
import java.util.List;

/**
 * LISTAGG, the values of a group as one text. It is an array of the values, joined: so grouping, windows and files for large
 * groups are those of ARRAY_AGG.
 */
final class ListAggregate {

    static final String NAME = "listagg";

    private static final Value COMMA = Value.of(",");
    private static final String ELEMENT = "value";

    private ListAggregate() {}

    /** @param call an ARRAY_AGG with the arguments of LISTAGG: what is joined, and the separator */
    static Expr of(Expr.Call call) {
        FunctionCheck.checked(new Expr.Call(
                NAME, call.args(), call.star(), call.distinct(), call.filter(), call.over(), call.place()));
        int count = call.args().size();
        Place place = call.place();
        Expr known = plain("ifnull", List.of(call.args().getFirst(), new Expr.Literal(Value.MISSING)), place);
        Expr values = FunctionCheck.checked(
                new Expr.Call(call.name(), List.of(known), false, call.distinct(), call.filter(), call.over(), place));
        Expr text = plain("to_string", List.of(new Expr.Name(ELEMENT, false, place)), place);
        Binding each = new Binding(null, ELEMENT, false, values, -1, -1, place);
        Expr texts = new Comprehension(Comprehension.Kind.ARRAY, null, text, List.of(List.of(each)), null);
        Expr separator = count == 2 ? call.args().getLast() : new Expr.Literal(COMMA);
        Expr some = new Expr.Operation(Op.IS_NOT_NULL, List.of(values), place);
        return new Expr.Case(
                null, List.of(new Expr.When(some, plain("concat2", List.of(separator, texts), place))), null);
    }

    private static Expr plain(String name, List<Expr> args, Place place) {
        return new Expr.Call(name, args, false, false, null, null, place);
    }
}
