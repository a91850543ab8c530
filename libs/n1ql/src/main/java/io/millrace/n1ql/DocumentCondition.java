package io.millrace.n1ql;

import io.millrace.n1ql.analysis.DocumentExprs;
import io.millrace.n1ql.analysis.StatementResolver;
import io.millrace.n1ql.expression.BlockChain;
import io.millrace.n1ql.expression.ExprCompiler;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.FunctionCheck;
import io.millrace.n1ql.syntax.Statement;
import io.millrace.n1ql.syntax.StatementParser;
import io.millrace.n1ql.syntax.StatementParser.ParsedStatement;
import io.millrace.n1ql.syntax.TreeMapper;
import io.millrace.n1ql.value.Value;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * A condition over one document in the language of WHERE, such as {@code type = "order" AND META().id LIKE "eu:%"}. It
 * depends on the document and its META() only, so that the same document always has the same result. Its former state is
 * {@code META().old}, where there is one. Thread-safe.
 */
public final class DocumentCondition {

    /** What a condition says of a document; UNKNOWN is a result of MISSING or NULL. */
    public enum Result {
        TRUE,
        FALSE,
        UNKNOWN
    }

    /** Two statements with the condition behind the first line: one takes an expression and nothing else, one has a document. */
    private static final String ALONE = "EXECUTE p USING\n";

    private static final String INDEXED = "CREATE INDEX i ON " + DocumentExprs.KEYSPACE + "(META().id) WHERE\n";

    private static final Pattern LINE_IN_MESSAGE = Pattern.compile("(?<=at line )\\d+");
    private static final String SUBJECT = "A condition on a document";
    private static final int BLOCK = 0;
    private static final String OLD = "old";

    private final Eval condition;
    private final int slots;
    private final int slot;
    private final int metaSlot;
    private final boolean readsMeta;
    private final boolean readsOld;

    private DocumentCondition(Statement.CreateIndex statement) {
        Expr where = Objects.requireNonNull(statement.where());
        DocumentExprs.requireNothingElse(SUBJECT, where);
        this.slot = statement.target().slot();
        this.metaSlot = statement.target().metaSlot();
        this.slots = DocumentExprs.slots(statement.target(), List.of(where));
        MetaSearch search = new MetaSearch(metaSlot);
        search.map(where);
        this.readsMeta = search.found;
        this.readsOld = search.old;
        this.condition = new ExprCompiler(new BlockChain(BLOCK, new BlockChain(-1, null)), (query, blocks) -> {
                    throw new IllegalStateException("A subquery was accepted: " + query);
                })
                .compile(where);
    }

    /**
     * Compiles a condition.
     *
     * @throws QueryException if the text is not one expression, or depends on anything but the document, with the place
     */
    public static DocumentCondition of(String text) {
        try {
            StatementParser.parse(ALONE + text);
            ParsedStatement parsed = StatementParser.parse(INDEXED + text);
            if (!parsed.userCalls().isEmpty()) {
                Expr.UserCall call = parsed.userCalls().getFirst();
                throw FunctionCheck.unknown(String.join(".", call.path()), call.place());
            }
            return new DocumentCondition((Statement.CreateIndex) StatementResolver.resolve(parsed.statement()));
        } catch (QueryException e) {
            throw inText(e);
        }
    }

    /** Returns whether the condition depends on {@code META().old}. */
    public boolean readsOld() {
        return readsOld;
    }

    /** Returns an error with its place in the text of the condition. */
    private static QueryException inText(QueryException error) {
        String message = LINE_IN_MESSAGE
                .matcher(error.description())
                .replaceAll(line -> Integer.toString(Integer.parseInt(line.group()) - 1));
        return error.line() < 2
                ? QueryException.of(error.errorCode(), message)
                : QueryException.at(error.errorCode(), error.line() - 1, error.column(), message);
    }

    /**
     * Tests a document.
     *
     * @param document its value; MISSING for a document without a body
     * @param meta returns the value of META(); asked only if the condition depends on it
     * @throws QueryException if the condition cannot be computed for this document, or takes longer than
     *     {@link StatementLimits#CONDITION_TIMEOUT}
     */
    public Result test(Value document, Supplier<? extends Value> meta) {
        Execution execution = Execution.ofConstants(StatementLimits.CONDITION_TIMEOUT.toMillis());
        Frame frame = new Frame(slots, new Frame(0, null, execution), execution);
        frame.set(slot, document);
        if (readsMeta) {
            frame.set(metaSlot, meta.get());
        }
        Value result = condition.eval(frame);
        if (result.isUnknown()) {
            return Result.UNKNOWN;
        }
        return result.truth() ? Result.TRUE : Result.FALSE;
    }

    /** Finds out whether an expression depends on META(), and on the field old of it. */
    private static final class MetaSearch extends TreeMapper {

        private final int metaSlot;
        private boolean found;
        private boolean old;

        MetaSearch(int metaSlot) {
            this.metaSlot = metaSlot;
        }

        @Override
        public Expr map(Expr expr) {
            found |= isMeta(expr);
            old |= expr instanceof Expr.Field field && field.name().equals(OLD) && isMeta(field.base());
            return children(expr);
        }

        private boolean isMeta(Expr expr) {
            return expr instanceof Expr.Ref ref && ref.block() == BLOCK && ref.slot() == metaSlot;
        }
    }
}
