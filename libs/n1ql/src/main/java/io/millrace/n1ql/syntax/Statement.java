package io.millrace.n1ql.syntax;

import io.millrace.n1ql.keyspace.Container;
import io.millrace.n1ql.keyspace.FunctionDefinition;
import io.millrace.n1ql.keyspace.SequenceOptions;
import io.millrace.n1ql.syntax.Query.Each;
import io.millrace.n1ql.syntax.Query.From;
import io.millrace.n1ql.syntax.Query.Let;
import io.millrace.n1ql.syntax.Query.Projection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Statements. */
public sealed interface Statement {

    record Select(Query query) implements Statement {}

    record Explain(Statement statement) implements Statement {}

    /** {@code text} is the text of the statement that is advised on. */
    record Advise(Statement statement, String text) implements Statement {}

    /** {@code text} is the text of the prepared statement; {@code name} is null if the statement has none. */
    record Prepare(@Nullable String name, boolean force, Statement statement, String text) implements Statement {}

    record Execute(String name, @Nullable Expr using) implements Statement {}

    /** A statement that needs nothing to be done. */
    record Nothing(String why) implements Statement {}

    /** Statements whose changes are written together, or forgotten. */
    record Transaction(List<Step> steps, boolean commits) implements Statement {

        public Transaction {
            steps = List.copyOf(steps);
        }

        public sealed interface Step {}

        public record Run(String text) implements Step {}

        public record Savepoint(String name) implements Step {}

        public record Back(String name) implements Step {}
    }

    record Infer(Target target, @Nullable Expr options) implements Statement {}

    /** The keyspace of a change; the frame has the document in {@code slot} and META() in {@code metaSlot}. */
    record Target(
            List<String> path, Expr.@Nullable Param parameter, String alias, int slot, int metaSlot, Place place) {

        /** Returns whether it has documents, not rows that the engine makes. */
        public boolean isStored() {
            return path.isEmpty() || !path.getFirst().startsWith("system:");
        }
    }

    /** INSERT and UPSERT with values. */
    record Insert(
            int block,
            int slots,
            boolean upsert,
            Target target,
            List<Row> rows,
            @Nullable Projection returning) implements Statement {}

    record Row(Expr key, Expr value, @Nullable Expr options) {}

    /** INSERT and UPSERT of the rows of a query; key and value see the row. */
    record InsertSelect(
            int block,
            int slots,
            boolean upsert,
            Target target,
            Expr key,
            @Nullable Expr value,
            @Nullable Expr options,
            Query query,
            int rowSlot,
            @Nullable Projection returning)
            implements Statement {}

    record Update(
            int block,
            int slots,
            Target target,
            From from,
            List<SetItem> set,
            List<UnsetItem> unset,
            List<Let> let,
            @Nullable Expr where,
            @Nullable Expr limit,
            @Nullable Expr offset,
            @Nullable Projection returning)
            implements Statement {}

    record SetItem(Expr path, Expr value, @Nullable Each each) {}

    record UnsetItem(Expr path, @Nullable Each each) {}

    record Delete(
            int block,
            int slots,
            Target target,
            From from,
            List<Let> let,
            @Nullable Expr where,
            @Nullable Expr limit,
            @Nullable Expr offset,
            @Nullable Projection returning)
            implements Statement {}

    record Merge(
            int block,
            int slots,
            Target target,
            Query.UseHints use,
            From source,
            boolean onKey,
            Expr on,
            List<Let> let,
            @Nullable MergeUpdate update,
            @Nullable MergeDelete delete,
            @Nullable MergeInsert insert,
            @Nullable Expr limit,
            @Nullable Projection returning)
            implements Statement {}

    record MergeUpdate(
            List<SetItem> set,
            List<UnsetItem> unset,
            @Nullable Expr where) {}

    record MergeDelete(@Nullable Expr where) {}

    record MergeInsert(
            @Nullable Expr key,
            Expr value,
            @Nullable Expr options,
            @Nullable Expr where,
            Place place) {}

    /**
     * @param partitioned whether the text divides the index, which has no effect
     * @param flattenedOrder whether keys of FLATTEN_KEYS have DESC or INCLUDE MISSING, which has no effect
     */
    record CreateIndex(
            boolean primary,
            @Nullable String name,
            Target target,
            List<IndexKey> keys,
            @Nullable Expr where,
            boolean ifNotExists,
            boolean partitioned,
            boolean flattenedOrder,
            @Nullable Expr with)
            implements Statement {}

    /** {@code each} is an array key: ALL or DISTINCT. */
    record IndexKey(Expr expr, boolean descending, boolean each, boolean includeMissing) {}

    record DropIndex(boolean primary, @Nullable String name, Target target, boolean ifExists) implements Statement {}

    /** CREATE BUCKET, SCOPE and COLLECTION. */
    record CreateContainer(
            Container.Kind kind,
            Target target,
            boolean ifNotExists,
            @Nullable Expr with) implements Statement {}

    record DropContainer(Container.Kind kind, Target target, boolean ifExists) implements Statement {}

    /** CREATE FUNCTION; {@code path} has no namespace. */
    record CreateFunction(
            List<String> path,
            FunctionDefinition.Language language,
            List<String> parameters,
            boolean variadic,
            String body,
            boolean replace,
            boolean ifNotExists,
            Place place)
            implements Statement {}

    record DropFunction(List<String> path, boolean ifExists, Place place) implements Statement {}

    record CreateSequence(List<String> path, SequenceOptions options, boolean ifNotExists) implements Statement {}

    record AlterSequence(List<String> path, SequenceOptions options, boolean ifExists) implements Statement {}

    record DropSequence(List<String> path, boolean ifExists) implements Statement {}

    /** Deletes all documents of a keyspace. */
    record Flush(Target target) implements Statement {}

    record BuildIndex(Target target, List<Expr> names) implements Statement {}
}
