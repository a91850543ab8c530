package io.millrace.n1ql.analysis;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.analysis.Scope.Kind;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Expr.SortTerm;
import io.millrace.n1ql.syntax.Query;
import io.millrace.n1ql.syntax.Query.Body;
import io.millrace.n1ql.syntax.Query.Cte;
import io.millrace.n1ql.syntax.Query.Let;
import io.millrace.n1ql.syntax.Query.Select;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Resolves names in queries. */
final class QueryResolver {

    /** The internal name of the rows of a combined query; it is not valid in a statement. */
    private static final String ROW = " row";

    private int blocks;

    Block newBlock() {
        return new Block(blocks++);
    }

    Query query(Query query, @Nullable Scope outer) {
        boolean single = query.body() instanceof Select;
        boolean sorted = !query.order().isEmpty();
        boolean framed = !query.with().isEmpty() || !single && sorted;
        Block block = newBlock();
        Scope scope = framed || outer == null ? Scope.of(outer, block) : outer;
        boolean own = scope != outer;
        List<Cte> with = ctes(query.with(), scope);
        ExprResolver exprs = new ExprResolver(this, scope);
        Expr limit = query.limit() == null ? null : exprs.map(query.limit());
        Expr offset = query.offset() == null ? null : exprs.map(query.offset());
        GroupRewriter.refuseOverRows(limit);
        GroupRewriter.refuseOverRows(offset);
        if (query.body() instanceof Select select) {
            Select resolved = select(select, query.order(), scope);
            return new Query(frame(block, own), block.slots(), -1, with, resolved, List.of(), limit, offset);
        }
        Body body = body(query.body(), scope);
        int rowSlot = -1;
        List<SortTerm> order = List.of();
        if (sorted) {
            rowSlot = block.newSlot();
            Scope rows = scope.nested();
            rows.add(Kind.FROM, ROW, rowSlot, -1);
            order = sortTerms(query.order(), new ExprResolver(this, rows));
        }
        return new Query(frame(block, own), block.slots(), rowSlot, with, body, order, limit, offset);
    }

    /** A query that declares no names needs no frame. */
    private static int frame(Block block, boolean own) {
        return own && block.slots() > 0 ? block.id() : -1;
    }

    private List<Cte> ctes(List<Cte> with, Scope scope) {
        List<Cte> resolved = new ArrayList<>();
        for (Cte cte : with) {
            if (scope.findHere(cte.name()) != null) {
                throw cte.place().error(ErrorCode.DUPLICATE_ALIAS, "Duplicate WITH alias '" + cte.name() + "'");
            }
            RecursiveCte recursive = RecursiveCte.of(cte);
            Expr expr = new ExprResolver(this, scope).map(recursive == null ? cte.expr() : recursive.anchor());
            int slot = scope.block().newSlot();
            scope.add(Kind.CTE, cte.name(), slot, -1);
            Query.Recursion recursion = recursive == null ? null : recursive.resolve(this, scope);
            resolved.add(new Cte(cte.name(), expr, slot, recursion, cte.place()));
        }
        return resolved;
    }

    private Body body(Body body, Scope scope) {
        return switch (body) {
            case Query.Nested nested -> new Query.Nested(query(nested.query(), scope));
            case Query.Combined combined ->
                new Query.Combined(
                        combined.operation(),
                        combined.all(),
                        body(combined.left(), scope),
                        body(combined.right(), scope));
            case Select select -> select(select, List.of(), scope);
        };
    }

    private Select select(Select select, List<SortTerm> order, Scope outer) {
        return new SelectResolver(this, outer).select(select, order);
    }

    static List<SortTerm> sortTerms(List<SortTerm> terms, ExprResolver exprs) {
        List<SortTerm> resolved = new ArrayList<>();
        for (SortTerm term : terms) {
            resolved.add(new SortTerm(exprs.map(term.expr()), term.descending(), term.nullsFirst()));
        }
        return resolved;
    }

    /** Adds variables in order: each sees the earlier ones. */
    static List<Let> lets(List<Let> lets, Scope scope, ExprResolver exprs) {
        List<Let> resolved = new ArrayList<>();
        for (Let let : lets) {
            if (scope.findHere(let.name()) != null) {
                throw let.place()
                        .error(
                                ErrorCode.DUPLICATE_VARIABLE,
                                "Duplicate variable: '" + let.name() + "' already in scope");
            }
            Expr expr = exprs.map(let.expr());
            int slot = scope.block().newSlot();
            scope.add(Kind.LET, let.name(), slot, -1);
            resolved.add(new Let(let.name(), expr, slot, let.place()));
        }
        return resolved;
    }
}
