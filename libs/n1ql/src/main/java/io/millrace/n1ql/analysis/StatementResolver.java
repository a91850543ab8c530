package io.millrace.n1ql.analysis;

import io.millrace.n1ql.analysis.Scope.Kind;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Query;
import io.millrace.n1ql.syntax.Query.Each;
import io.millrace.n1ql.syntax.Query.Let;
import io.millrace.n1ql.syntax.Query.Projection;
import io.millrace.n1ql.syntax.Statement;
import io.millrace.n1ql.syntax.Statement.SetItem;
import io.millrace.n1ql.syntax.Statement.Target;
import io.millrace.n1ql.syntax.Statement.UnsetItem;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Resolves names in statements. */
public final class StatementResolver {

    /** The internal name of the rows of INSERT ... SELECT; it is not valid in a statement. */
    private static final String ROW = " row";

    private final QueryResolver queries = new QueryResolver();
    private final Block block = queries.newBlock();

    private StatementResolver() {}

    /** Returns the statement with slots instead of names; throws a {@link QueryException} if it is not valid. */
    public static Statement resolve(Statement statement) {
        return new StatementResolver().statement(statement);
    }

    /** Returns a query in which names are parameters of the run, unless something inside has the name. */
    public static Statement resolve(Statement.Select select, List<String> parameters) {
        StatementResolver resolver = new StatementResolver();
        Scope scope = Scope.of(null, resolver.block);
        parameters.forEach(parameter -> scope.add(Kind.PARAMETER, parameter, -1, -1));
        return new Statement.Select(resolver.queries.query(select.query(), scope));
    }

    private Statement statement(Statement statement) {
        return switch (statement) {
            case Statement.Select select -> new Statement.Select(queries.query(select.query(), null));
            case Statement.Insert insert -> insert(insert);
            case Statement.InsertSelect insert -> insertSelect(insert);
            case Statement.Update update -> update(update);
            case Statement.Delete delete -> delete(delete);
            case Statement.Merge merge -> merge(merge);
            case Statement.Explain explain -> new Statement.Explain(resolve(explain.statement()));
            case Statement.Advise advise -> new Statement.Advise(resolve(advise.statement()), advise.text());
            case Statement.Prepare prepare ->
                new Statement.Prepare(prepare.name(), prepare.force(), resolve(prepare.statement()), prepare.text());
            case Statement.Execute execute ->
                new Statement.Execute(execute.name(), execute.using() == null ? null : plain(execute.using()));
            case Statement.Nothing nothing -> nothing;
            case Statement.Transaction transaction -> transaction;
            case Statement.Infer infer ->
                new Statement.Infer(infer.target(), infer.options() == null ? null : plain(infer.options()));
            case Statement.CreateIndex create -> create(create);
            case Statement.DropIndex drop -> drop;
            case Statement.CreateContainer create ->
                new Statement.CreateContainer(
                        create.kind(),
                        create.target(),
                        create.ifNotExists(),
                        create.with() == null ? null : plain(create.with()));
            case Statement.DropContainer drop -> drop;
            case Statement.Flush flush -> flush;
            case Statement.CreateFunction create -> create;
            case Statement.DropFunction drop -> drop;
            case Statement.CreateSequence create -> create;
            case Statement.AlterSequence alter -> alter;
            case Statement.DropSequence drop -> drop;
            case Statement.BuildIndex build ->
                new Statement.BuildIndex(
                        build.target(), exprs(Scope.of(null, block)).all(build.names()));
        };
    }

    private ExprsOf exprs(Scope scope) {
        return new ExprsOf(new ExprResolver(queries, scope));
    }

    private Expr plain(Expr expr) {
        return exprs(Scope.of(null, block)).one(expr);
    }

    private record ExprsOf(ExprResolver resolver) {

        Expr one(Expr expr) {
            Expr resolved = resolver.map(expr);
            GroupRewriter.refuseOverRows(resolved);
            return resolved;
        }

        @Nullable
        Expr optional(@Nullable Expr expr) {
            return expr == null ? null : one(expr);
        }

        List<Expr> all(List<Expr> exprs) {
            List<Expr> mapped = new ArrayList<>();
            exprs.forEach(expr -> mapped.add(one(expr)));
            return mapped;
        }

        List<SetItem> sets(List<SetItem> items) {
            List<SetItem> resolved = new ArrayList<>();
            for (SetItem item : items) {
                Expr[] parts = new Expr[2];
                Each each = each(item.each(), () -> {
                    parts[0] = one(item.path());
                    parts[1] = one(item.value());
                });
                resolved.add(new SetItem(parts[0], parts[1], each));
            }
            return resolved;
        }

        List<UnsetItem> unsets(List<UnsetItem> items) {
            List<UnsetItem> resolved = new ArrayList<>();
            for (UnsetItem item : items) {
                Expr[] path = new Expr[1];
                Each each = each(item.each(), () -> path[0] = one(item.path()));
                resolved.add(new UnsetItem(path[0], each));
            }
            return resolved;
        }

        private @Nullable Each each(@Nullable Each each, Runnable between) {
            if (each == null) {
                between.run();
                return null;
            }
            return resolver.each(each, between);
        }
    }

    private Target declare(Target target, Scope scope) {
        int metaSlot = block.newSlot();
        int slot = block.newSlot();
        scope.add(Kind.KEYSPACE, target.alias(), slot, metaSlot);
        return new Target(target.path(), target.parameter(), target.alias(), slot, metaSlot, target.place());
    }

    private @Nullable Projection returning(@Nullable Projection projection, Scope scope) {
        return projection == null ? null : Projections.resolve(projection, scope, new ExprResolver(queries, scope));
    }

    private Statement insert(Statement.Insert insert) {
        ExprsOf values = exprs(Scope.of(null, block));
        List<Statement.Row> rows = new ArrayList<>();
        for (Statement.Row row : insert.rows()) {
            rows.add(new Statement.Row(values.one(row.key()), values.one(row.value()), values.optional(row.options())));
        }
        Scope scope = Scope.of(null, block);
        Target target = declare(insert.target(), scope);
        Projection returning = returning(insert.returning(), scope);
        return new Statement.Insert(block.id(), block.slots(), insert.upsert(), target, rows, returning);
    }

    private Statement insertSelect(Statement.InsertSelect insert) {
        Query query = queries.query(insert.query(), null);
        Scope rows = Scope.of(null, block);
        int rowSlot = block.newSlot();
        rows.add(Kind.FROM, ROW, rowSlot, -1);
        ExprsOf values = exprs(rows);
        Expr key = values.one(insert.key());
        Expr value = values.optional(insert.value());
        Expr options = values.optional(insert.options());
        Scope scope = Scope.of(null, block);
        Target target = declare(insert.target(), scope);
        Projection returning = returning(insert.returning(), scope);
        return new Statement.InsertSelect(
                block.id(), block.slots(), insert.upsert(), target, key, value, options, query, rowSlot, returning);
    }

    private static Target target(Target target, Query.KeyspaceTerm term) {
        return new Target(
                target.path(), target.parameter(), target.alias(), term.slot(), term.metaSlot(), target.place());
    }

    private Statement update(Statement.Update update) {
        Scope scope = Scope.of(null, block);
        Query.KeyspaceTerm term = (Query.KeyspaceTerm) new FromResolver(queries, scope).resolve(update.from());
        ExprResolver resolver = new ExprResolver(queries, scope);
        List<Let> let = QueryResolver.lets(update.let(), scope, resolver);
        ExprsOf exprs = new ExprsOf(resolver);
        Expr where = exprs.optional(update.where());
        List<SetItem> set = exprs.sets(update.set());
        List<UnsetItem> unset = exprs.unsets(update.unset());
        Expr limit = exprs.optional(update.limit());
        Expr offset = exprs.optional(update.offset());
        Projection returning = returning(update.returning(), scope);
        return new Statement.Update(
                block.id(),
                block.slots(),
                target(update.target(), term),
                term,
                set,
                unset,
                let,
                where,
                limit,
                offset,
                returning);
    }

    private Statement delete(Statement.Delete delete) {
        Scope scope = Scope.of(null, block);
        Query.KeyspaceTerm term = (Query.KeyspaceTerm) new FromResolver(queries, scope).resolve(delete.from());
        ExprResolver resolver = new ExprResolver(queries, scope);
        List<Let> let = QueryResolver.lets(delete.let(), scope, resolver);
        ExprsOf exprs = new ExprsOf(resolver);
        Expr where = exprs.optional(delete.where());
        Expr limit = exprs.optional(delete.limit());
        Expr offset = exprs.optional(delete.offset());
        Projection returning = returning(delete.returning(), scope);
        return new Statement.Delete(
                block.id(), block.slots(), target(delete.target(), term), term, let, where, limit, offset, returning);
    }

    /**
     * The condition and the actions see the source and the target; the key of ON KEY and the inserted document see only
     * the source. In actions on the target, an unqualified name is a field of the target.
     */
    private Statement merge(Statement.Merge merge) {
        Scope sourceScope = Scope.of(null, block);
        FromResolver froms = new FromResolver(queries, sourceScope);
        Query.From source = froms.resolve(merge.source());
        Scope both = sourceScope.nested();
        Query.KeyspaceTerm term = (Query.KeyspaceTerm) new FromResolver(queries, both)
                .keyspace(new Query.KeyspaceTerm(
                        merge.target().path(),
                        merge.target().parameter(),
                        merge.target().alias(),
                        -1,
                        -1,
                        merge.use(),
                        merge.target().place()));
        Target target = target(merge.target(), term);
        Expr on = exprs(merge.onKey() ? sourceScope : both).one(merge.on());
        List<Let> let = QueryResolver.lets(merge.let(), both, new ExprResolver(queries, both));
        both.prefer(target.alias());
        ExprsOf exprs = exprs(both);
        Statement.MergeUpdate update = merge.update() == null
                ? null
                : new Statement.MergeUpdate(
                        exprs.sets(merge.update().set()),
                        exprs.unsets(merge.update().unset()),
                        exprs.optional(merge.update().where()));
        Statement.MergeDelete delete = merge.delete() == null
                ? null
                : new Statement.MergeDelete(exprs.optional(merge.delete().where()));
        Statement.MergeInsert insert = merge.insert() == null ? null : mergeInsert(merge.insert(), sourceScope, let);
        Expr limit = exprs.optional(merge.limit());
        Projection returning = returning(merge.returning(), both);
        return new Statement.Merge(
                block.id(),
                block.slots(),
                target,
                term.use(),
                source,
                merge.onKey(),
                on,
                let,
                update,
                delete,
                insert,
                limit,
                returning);
    }

    private Statement.MergeInsert mergeInsert(Statement.MergeInsert insert, Scope sourceScope, List<Let> let) {
        Scope scope = sourceScope.nested();
        let.forEach(variable -> scope.add(Kind.LET, variable.name(), variable.slot(), -1));
        ExprsOf exprs = exprs(scope);
        return new Statement.MergeInsert(
                exprs.optional(insert.key()),
                exprs.one(insert.value()),
                exprs.optional(insert.options()),
                exprs.optional(insert.where()),
                insert.place());
    }

    private Statement create(Statement.CreateIndex create) {
        Scope scope = Scope.of(null, block);
        Target target = declare(create.target(), scope);
        ExprsOf exprs = exprs(scope);
        List<Statement.IndexKey> keys = new ArrayList<>();
        for (Statement.IndexKey key : create.keys()) {
            keys.add(new Statement.IndexKey(exprs.one(key.expr()), key.descending(), key.each(), key.includeMissing()));
        }
        return new Statement.CreateIndex(
                create.primary(),
                create.name(),
                target,
                keys,
                exprs.optional(create.where()),
                create.ifNotExists(),
                create.partitioned(),
                create.flattenedOrder(),
                create.with() == null ? null : plain(create.with()));
    }
}
