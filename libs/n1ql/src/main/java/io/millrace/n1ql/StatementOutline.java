package io.millrace.n1ql;

import io.millrace.n1ql.analysis.StatementResolver;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.FunctionCheck;
import io.millrace.n1ql.syntax.Statement;
import io.millrace.n1ql.syntax.StatementParser;
import io.millrace.n1ql.syntax.StatementParser.ParsedStatement;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Facts about a statement that follow from its text.
 *
 * @param parameters the names of its parameters in the order of the text; positional ones are numbers from 1
 * @param select whether it is a query
 * @param targets the paths of the keyspaces whose documents it changes, as written; keyspaces that a parameter names
 *     are not included
 */
public record StatementOutline(Set<String> parameters, boolean select, List<List<String>> targets) {

    public StatementOutline {
        targets = List.copyOf(targets);
    }

    /**
     * Parses a statement. User-defined functions are not looked up; only a name with its scope is taken for one.
     *
     * @throws QueryException if the text does not parse or names something that does not exist, with the place
     */
    public static StatementOutline of(String text) {
        try {
            ParsedStatement parsed = StatementParser.parse(text);
            for (Expr.UserCall call : parsed.userCalls()) {
                if (call.path().size() == 1) {
                    throw FunctionCheck.unknown(call.toString().toLowerCase(Locale.ROOT), call.place());
                }
            }
            StatementResolver.resolve(parsed.statement());
            return new StatementOutline(
                    parsed.parameters(), parsed.statement() instanceof Statement.Select, targets(parsed.statement()));
        } catch (RuntimeException | StackOverflowError e) {
            throw Failures.of(e);
        }
    }

    private static List<List<String>> targets(Statement statement) {
        return switch (statement) {
            case Statement.Insert insert -> path(insert.target());
            case Statement.InsertSelect insert -> path(insert.target());
            case Statement.Update update -> path(update.target());
            case Statement.Delete delete -> path(delete.target());
            case Statement.Merge merge -> path(merge.target());
            case Statement.Prepare prepare -> targets(prepare.statement());
            default -> List.of();
        };
    }

    private static List<List<String>> path(Statement.Target target) {
        return target.path().isEmpty() ? List.of() : List.of(target.path());
    }
}
