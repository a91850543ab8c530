package io.millrace.n1ql.syntax;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.grammar.N1qlParser;
import io.millrace.n1ql.grammar.N1qlParser.*;
import io.millrace.n1ql.keyspace.Container;
import io.millrace.n1ql.keyspace.FunctionDefinition.Language;
import io.millrace.n1ql.syntax.Query.Each;
import io.millrace.n1ql.syntax.Query.Projection;
import io.millrace.n1ql.syntax.Statement.MergeDelete;
import io.millrace.n1ql.syntax.Statement.MergeInsert;
import io.millrace.n1ql.syntax.Statement.MergeUpdate;
import io.millrace.n1ql.syntax.Statement.SetItem;
import io.millrace.n1ql.syntax.Statement.Target;
import io.millrace.n1ql.syntax.Statement.UnsetItem;
import io.millrace.n1ql.syntax.StatementParser.ParsedStatement;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

/** Builds statements from the parse tree. */
final class StatementBuilder {

    /** What the arguments of a function with any number of them are called. */
    private static final String VARIADIC = "args";

    private final String text;
    private final HintReader hints;
    private final boolean analyzes;
    private final boolean flattenedOrder;
    private final QueryBuilder queries;
    private final ExprBuilder exprs;

    StatementBuilder(
            String text, List<Integer> questionMarks, HintReader hints, boolean analyzes, boolean flattenedOrder) {
        this.analyzes = analyzes;
        this.flattenedOrder = flattenedOrder;
        this.text = text;
        this.hints = hints;
        this.queries = new QueryBuilder(questionMarks, hints);
        this.exprs = queries.exprs();
    }

    ParsedStatement statement(StatementContext context) {
        Statement statement = body(context.body());
        return new ParsedStatement(
                statement, new LinkedHashSet<>(exprs.parameters()), hints.all(), analyzes, exprs.userCalls());
    }

    private Statement body(BodyContext context) {
        return switch (context.getChild(0)) {
            case QueryContext query -> new Statement.Select(queries.query(query));
            case ExplainContext explain -> new Statement.Explain(body(explain.body()));
            case AdviseContext advise -> new Statement.Advise(body(advise.body()), source(advise.body()));
            case PrepareContext prepare -> prepare(prepare);
            case ExecuteContext execute -> execute(execute);
            case InsertContext insert -> insert(insert);
            case UpdateContext update -> update(update);
            case DeleteContext delete -> delete(delete);
            case MergeContext merge -> merge(merge);
            case CreatePrimaryContext create -> createPrimary(create);
            case CreateSecondaryContext create -> createSecondary(create);
            case DropIndexContext drop -> drop(drop);
            case BuildIndexContext build -> {
                refuseOtherKinds(build.usingIndex());
                yield new Statement.BuildIndex(target(build.keyspaceRef(), null), names(build.expr()));
            }
            case CreateContainerContext create ->
                new Statement.CreateContainer(
                        kind(create.container()),
                        target(create.keyspaceRef(), null),
                        !create.EXISTS().isEmpty(),
                        create.withOptions() == null
                                ? null
                                : exprs.expr(create.withOptions().expr()));
            case DropContainerContext drop ->
                new Statement.DropContainer(
                        kind(drop.container()),
                        target(drop.keyspaceRef(), null),
                        !drop.EXISTS().isEmpty());
            case CreateFunctionContext create -> createFunction(create);
            case DropFunctionContext drop ->
                new Statement.DropFunction(
                        path(drop.functionPath()), !drop.EXISTS().isEmpty(), TokenText.place(drop.functionPath()));
            case ExecuteFunctionContext call -> executeFunction(call);
            case FlushContext flush -> new Statement.Flush(target(flush.keyspaceRef(), null));
            case InferContext infer ->
                new Statement.Infer(target(infer.keyspaceRef(), null), exprs.optional(infer.expr()));
            default -> throw new IllegalStateException(context.getText());
        };
    }

    /** In a list of index names, an identifier is a name and not a field. */
    private List<Expr> names(List<ExprContext> contexts) {
        List<Expr> names = new ArrayList<>();
        for (Expr expr : exprs.exprs(contexts)) {
            names.add(expr instanceof Expr.Name name ? new Expr.Literal(Value.of(name.name())) : expr);
        }
        return names;
    }

    private Statement createFunction(CreateFunctionContext context) {
        FunctionBodyContext body = context.functionBody();
        boolean script = body.JAVASCRIPT() != null;
        if (context.REPLACE() != null && !context.EXISTS().isEmpty()) {
            throw TokenText.place(context)
                    .error(ErrorCode.SYNTAX, "syntax error - OR REPLACE and IF NOT EXISTS contradict each other");
        }
        if (body.AT() != null) {
            throw TokenText.place(body)
                    .error(
                            ErrorCode.SEMANTICS,
                            "There are no libraries of functions; give the code itself: LANGUAGE JAVASCRIPT AS"
                                    + " \"function name(a, b) { return a + b; }\"");
        }
        if (!script) {
            exprs.expr(body.expr());
        }
        if (!exprs.parameters().isEmpty()) {
            throw TokenText.place(body)
                    .error(
                            ErrorCode.SEMANTICS,
                            "A function cannot use parameters of a request; give it parameters of its own.");
        }
        return new Statement.CreateFunction(
                path(context.functionPath()),
                script ? Language.JAVASCRIPT : Language.INLINE,
                context.variadic == null ? TokenText.names(context.name()) : List.of(VARIADIC),
                context.variadic != null,
                script ? TokenText.unquote(body.STRING(0).getText()) : source(body.expr()),
                context.REPLACE() != null,
                !context.EXISTS().isEmpty(),
                TokenText.place(context.functionPath()));
    }

    /** EXECUTE FUNCTION is a query of one row. */
    private Statement executeFunction(ExecuteFunctionContext context) {
        return new Statement.Select(QueryBuilder.single(exprs.userCall(
                path(context.functionPath()), exprs.exprs(context.expr()), TokenText.place(context.functionPath()))));
    }

    private static List<String> path(FunctionPathContext context) {
        List<String> names = TokenText.names(context.name());
        return context.namespace != null ? names.subList(1, names.size()) : names;
    }

    private static Container.Kind kind(ContainerContext context) {
        return Container.Kind.valueOf(context.getText().toUpperCase(Locale.ROOT));
    }

    private Statement prepare(PrepareContext context) {
        return new Statement.Prepare(
                TokenText.optional(context.name()),
                context.FORCE() != null,
                body(context.body()),
                source(context.body()));
    }

    /** Returns the text of a part of the statement. */
    private String source(ParserRuleContext part) {
        int start = part.getStart().getStartIndex();
        int stop = part.getStop().getStopIndex();
        return text.codePointCount(0, text.length()) == text.length()
                ? text.substring(start, stop + 1)
                : text.substring(text.offsetByCodePoints(0, start), text.offsetByCodePoints(0, stop + 1));
    }

    private Statement execute(ExecuteContext context) {
        String name =
                context.name() == null ? TokenText.unquote(context.STRING().getText()) : TokenText.name(context.name());
        return new Statement.Execute(name, exprs.optional(context.expr()));
    }

    private Target target(KeyspaceRefContext context, @Nullable NameContext aliasContext) {
        Place place = TokenText.place(context);
        String alias = TokenText.optional(aliasContext);
        if (context.param() != null) {
            Expr.Param parameter = exprs.param(context.param());
            return new Target(List.of(), parameter, alias == null ? parameter.name() : alias, -1, -1, place);
        }
        List<String> names = TokenText.names(context.name());
        List<String> path = context.namespace != null ? names.subList(1, names.size()) : names;
        // the namespace distinguishes system:prepareds from a bucket
        boolean system = path.size() < names.size() && names.getFirst().equals("system");
        return new Target(
                system ? List.of("system:" + path.getFirst()) : path,
                null,
                alias == null ? names.getLast() : alias,
                -1,
                -1,
                place);
    }

    private @Nullable Projection returning(@Nullable ReturningContext context) {
        return context == null ? null : queries.projection(context.projection());
    }

    private Statement insert(InsertContext context) {
        boolean upsert = context.verb.getType() == N1qlParser.UPSERT;
        Target target = target(context.keyspaceRef(), context.name());
        Projection returning = returning(context.returning());
        if (context.query() != null) {
            return new Statement.InsertSelect(
                    -1,
                    0,
                    upsert,
                    target,
                    exprs.expr(context.key),
                    exprs.optional(context.val),
                    exprs.optional(context.opt),
                    queries.query(context.query()),
                    -1,
                    returning);
        }
        List<Statement.Row> rows = new ArrayList<>();
        for (ValuesListContext row : context.valuesList()) {
            List<Expr> parts = exprs.exprs(row.expr());
            rows.add(new Statement.Row(parts.get(0), parts.get(1), parts.size() > 2 ? parts.get(2) : null));
        }
        return new Statement.Insert(-1, 0, upsert, target, rows, returning);
    }

    private Query.From from(Target target, List<UseClauseContext> use, Token verb) {
        Query.From from = new Query.KeyspaceTerm(
                target.path(),
                target.parameter(),
                target.alias(),
                -1,
                -1,
                queries.from().hints(use, target.alias()),
                target.place());
        return hints.hinted(from, verb);
    }

    private Statement update(UpdateContext context) {
        Target target = target(context.keyspaceRef(), context.name());
        if (context.set() == null && context.unset() == null) {
            throw TokenText.place(context).error(ErrorCode.SYNTAX, "syntax error - UPDATE has neither SET nor UNSET");
        }
        return new Statement.Update(
                -1,
                0,
                target,
                from(target, context.useClause(), context.getStart()),
                sets(context.set()),
                unsets(context.unset()),
                queries.lets(context.let()),
                context.where() == null ? null : exprs.expr(context.where().expr()),
                queries.paging(context.paging(), false),
                queries.paging(context.paging(), true),
                returning(context.returning()));
    }

    private List<SetItem> sets(@Nullable SetContext context) {
        List<SetItem> items = new ArrayList<>();
        if (context != null) {
            for (SetItemContext item : context.setItem()) {
                items.add(new SetItem(exprs.path(item.path()), exprs.expr(item.expr()), each(item.updateFor())));
            }
        }
        return items;
    }

    private List<UnsetItem> unsets(@Nullable UnsetContext context) {
        List<UnsetItem> items = new ArrayList<>();
        if (context != null) {
            for (UnsetItemContext item : context.unsetItem()) {
                items.add(new UnsetItem(exprs.path(item.path()), each(item.updateFor())));
            }
        }
        return items;
    }

    private @Nullable Each each(@Nullable UpdateForContext context) {
        return context == null ? null : new Each(exprs.levels(context), exprs.optional(context.expr()));
    }

    private Statement delete(DeleteContext context) {
        Target target = target(context.keyspaceRef(), context.name());
        return new Statement.Delete(
                -1,
                0,
                target,
                from(target, context.useClause(), context.getStart()),
                queries.lets(context.let()),
                context.where() == null ? null : exprs.expr(context.where().expr()),
                queries.paging(context.paging(), false),
                queries.paging(context.paging(), true),
                returning(context.returning()));
    }

    private Statement merge(MergeContext context) {
        MergeUpdate update = null;
        MergeDelete delete = null;
        MergeInsert insert = null;
        boolean onKey = context.KEY() != null;
        refuseWithoutEffect(context);
        for (MergeActionContext action : context.mergeAction()) {
            switch (action) {
                case MergeUpdateContext found -> update = mergeUpdate(found, update);
                case MergeDeleteContext found -> {
                    refuseTwice(delete, found, "WHEN MATCHED THEN DELETE");
                    delete = new MergeDelete(where(found.where()));
                }
                case MergeInsertContext found -> {
                    refuseTwice(insert, found, "WHEN NOT MATCHED THEN INSERT");
                    insert = mergeInsert(found, onKey);
                }
                default -> throw new IllegalStateException(action.getText());
            }
        }
        Target target = target(context.keyspaceRef(), context.target);
        return new Statement.Merge(
                -1,
                0,
                target,
                queries.from().hints(context.useClause(), target.alias()),
                queries.from().simple(context.fromSimple()),
                onKey,
                exprs.expr(context.expr()),
                queries.lets(context.let()),
                update,
                delete,
                insert,
                queries.paging(context.paging(), false),
                returning(context.returning()));
    }

    private static void refuseWithoutEffect(MergeContext context) {
        if (context.mergeAction().isEmpty()) {
            throw TokenText.place(context)
                    .error(
                            ErrorCode.SYNTAX,
                            "syntax error - MERGE has no action; add WHEN MATCHED or WHEN NOT MATCHED");
        }
        for (PagingContext paging : context.paging()) {
            if (paging.OFFSET() != null) {
                throw TokenText.place(paging)
                        .error(
                                ErrorCode.SYNTAX,
                                "syntax error - MERGE has no OFFSET; put it in the query behind USING");
            }
        }
    }

    private MergeUpdate mergeUpdate(MergeUpdateContext context, @Nullable MergeUpdate before) {
        refuseTwice(before, context, "WHEN MATCHED THEN UPDATE");
        if (context.set() == null && context.unset() == null) {
            throw TokenText.place(context).error(ErrorCode.SYNTAX, "syntax error - UPDATE has neither SET nor UNSET");
        }
        return new MergeUpdate(sets(context.set()), unsets(context.unset()), where(context.where()));
    }

    private static void refuseTwice(@Nullable Object before, ParserRuleContext again, String action) {
        if (before != null) {
            throw TokenText.place(again)
                    .error(
                            ErrorCode.SYNTAX,
                            "syntax error - MERGE has " + action + " twice; write it once, with CASE in it");
        }
    }

    private @Nullable Expr where(@Nullable WhereContext context) {
        return context == null ? null : exprs.expr(context.expr());
    }

    private MergeInsert mergeInsert(MergeInsertContext context, boolean onKey) {
        MergeInsertBodyContext body = context.mergeInsertBody();
        List<Expr> parts = exprs.exprs(body.expr());
        Place place = TokenText.place(body);
        boolean keyed = parts.size() > 1;
        if (onKey && keyed) {
            throw place.error(
                    ErrorCode.MERGE_KEY,
                    "MERGE with ON KEY clause cannot have document key specification in INSERT action");
        }
        if (!onKey && !keyed) {
            throw place.error(
                    ErrorCode.MERGE_KEY, "MERGE with ON clause must have document key specification in INSERT action");
        }
        return keyed
                ? new MergeInsert(
                        parts.get(0),
                        parts.get(1),
                        parts.size() > 2 ? parts.get(2) : null,
                        where(context.where()),
                        place)
                : new MergeInsert(null, parts.getFirst(), null, where(context.where()), place);
    }

    private Statement createPrimary(CreatePrimaryContext context) {
        refuseOtherKinds(context.usingIndex());
        return new Statement.CreateIndex(
                true,
                TokenText.optional(context.name()),
                target(context.keyspaceRef(), null),
                List.of(),
                null,
                !context.EXISTS().isEmpty(),
                false,
                false,
                context.withOptions() == null
                        ? null
                        : exprs.expr(context.withOptions().expr()));
    }

    private Statement createSecondary(CreateSecondaryContext context) {
        refuseOtherKinds(context.usingIndex());
        List<Statement.IndexKey> keys = new ArrayList<>();
        for (IndexKeyContext key : context.indexKey()) {
            if (!key.ASC().isEmpty() && !key.DESC().isEmpty()) {
                throw TokenText.place(key).error(ErrorCode.SYNTAX, "syntax error - an index key is either ASC or DESC");
            }
            keys.add(new Statement.IndexKey(
                    indexExpr(key),
                    !key.DESC().isEmpty(),
                    key.ALL() != null || key.DISTINCT() != null,
                    !key.MISSING().isEmpty()));
        }
        return new Statement.CreateIndex(
                false,
                TokenText.name(context.name()),
                target(context.keyspaceRef(), null),
                keys,
                where(context.where()),
                !context.EXISTS().isEmpty(),
                context.PARTITION() != null,
                flattenedOrder,
                context.withOptions() == null
                        ? null
                        : exprs.expr(context.withOptions().expr()));
    }

    private Expr indexExpr(IndexKeyContext key) {
        return exprs.expr(key.expr());
    }

    private Statement drop(DropIndexContext context) {
        return switch (context) {
            case DropPrimaryContext primary -> {
                refuseOtherKinds(primary.usingIndex());
                yield new Statement.DropIndex(
                        true, null, target(primary.keyspaceRef(), null), primary.EXISTS() != null);
            }
            case DropOnContext on -> {
                refuseOtherKinds(on.usingIndex());
                yield new Statement.DropIndex(
                        false,
                        TokenText.name(on.indexName),
                        target(on.keyspaceRef(), null),
                        !on.EXISTS().isEmpty());
            }
            case DropQualifiedContext qualified -> {
                refuseOtherKinds(qualified.usingIndex());
                // DROP INDEX keyspace.index
                Target whole = target(qualified.keyspaceRef(), null);
                List<String> path = whole.path();
                if (path.size() < 2) {
                    throw TokenText.place(qualified)
                            .error(ErrorCode.SYNTAX, "syntax error - DROP INDEX needs a keyspace");
                }
                Target target = new Target(
                        path.subList(0, path.size() - 1), null, path.get(path.size() - 2), -1, -1, whole.place());
                yield new Statement.DropIndex(
                        false, path.getLast(), target, !qualified.EXISTS().isEmpty());
            }
            default -> throw new IllegalStateException(context.getText());
        };
    }

    /** There are no indexes but those of the query service. */
    static void refuseOtherKinds(N1qlParser.@Nullable UsingIndexContext context) {
        if (context != null && context.GSI() == null) {
            throw TokenText.place(context)
                    .error(
                            ErrorCode.SEMANTICS,
                            "There are no indexes of the kind "
                                    + context.getStop().getText() + "; write USING GSI, or leave it out");
        }
    }
}
