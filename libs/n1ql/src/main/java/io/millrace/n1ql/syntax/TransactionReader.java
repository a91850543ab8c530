package io.millrace.n1ql.syntax;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.syntax.Statement.Transaction;
import io.millrace.n1ql.syntax.StatementParser.ParsedStatement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code BEGIN WORK; statements; COMMIT}. The words are names in documents, so they are no keywords, and mean
 * a transaction only where a statement begins.
 */
final class TransactionReader {

    private static final Set<String> FIRST_WORDS = Set.of("BEGIN", "START", "COMMIT", "ROLLBACK", "SAVEPOINT");

    private static final String WORK = "( WORK| TRAN| TRANSACTION)?";
    private static final Pattern BEGIN = Pattern.compile("(BEGIN|START)" + WORK + "( ISOLATION LEVEL READ COMMITTED)?");
    private static final Pattern COMMIT = Pattern.compile("COMMIT" + WORK);
    private static final Pattern ROLLBACK = Pattern.compile("ROLLBACK" + WORK);
    private static final Pattern SAVEPOINT = Pattern.compile("SAVEPOINT \\S+");
    private static final Pattern BACK = Pattern.compile("ROLLBACK" + WORK + " TO( SAVEPOINT)? \\S+");

    private static final String FORM =
            " A transaction is one request: BEGIN WORK; statements; COMMIT. A single statement needs tximplicit only.";

    private final String text;
    private final List<Transaction.Step> steps = new ArrayList<>();
    private final Set<String> parameters = new LinkedHashSet<>();
    private final List<Expr.UserCall> userCalls = new ArrayList<>();

    private TransactionReader(String text) {
        this.text = text;
    }

    /** Returns the transaction, or null if the text is another statement. */
    static @Nullable ParsedStatement read(String text, List<Token> tokens) {
        List<List<Token>> parts = parts(tokens);
        return parts.isEmpty() || !FIRST_WORDS.contains(word(parts.getFirst().getFirst()))
                ? null
                : new TransactionReader(text).read(parts);
    }

    private static List<List<Token>> parts(List<Token> tokens) {
        List<List<Token>> parts = new ArrayList<>();
        List<Token> part = new ArrayList<>();
        for (Token token : tokens) {
            boolean ends = token.getType() == Token.EOF || token.getText().equals(";");
            if (!ends && token.getChannel() == Token.DEFAULT_CHANNEL) {
                part.add(token);
            } else if (ends && !part.isEmpty()) {
                parts.add(part);
                part = new ArrayList<>();
            }
        }
        return parts;
    }

    private ParsedStatement read(List<List<Token>> parts) {
        if (!BEGIN.matcher(words(parts.getFirst())).matches()) {
            throw refused(parts.getFirst(), "A transaction begins with BEGIN WORK." + FORM);
        }
        List<Token> last = parts.getLast();
        boolean commits = COMMIT.matcher(words(last)).matches();
        if (!commits && !ROLLBACK.matcher(words(last)).matches()) {
            throw refused(last, "The request ends without COMMIT or ROLLBACK." + FORM);
        }
        parts.subList(1, parts.size() - 1).forEach(this::step);
        return new ParsedStatement(new Transaction(steps, commits), parameters, List.of(), false, userCalls);
    }

    private void step(List<Token> part) {
        String words = words(part);
        String name = part.getLast().getText().replace("`", "");
        if (SAVEPOINT.matcher(words).matches()) {
            steps.add(new Transaction.Savepoint(name));
        } else if (BACK.matcher(words).matches()) {
            steps.add(new Transaction.Back(name));
        } else if (FIRST_WORDS.contains(word(part.getFirst()))) {
            throw refused(
                    part,
                    "Between BEGIN and COMMIT there are statements, SAVEPOINT name and ROLLBACK TO name; another"
                            + " transaction needs a request of its own.");
        } else {
            run(part);
        }
    }

    private void run(List<Token> part) {
        int begin = part.getFirst().getStartIndex();
        // As many lines and columns before it as in the text, so that its errors have their places in the text.
        String before = text.substring(0, text.offsetByCodePoints(0, begin)).replaceAll("[^\\n]", " ");
        String statement = text.substring(
                text.offsetByCodePoints(0, begin),
                text.offsetByCodePoints(0, part.getLast().getStopIndex() + 1));
        ParsedStatement parsed = StatementParser.parse(before + statement);
        boolean allowed = switch (parsed.statement()) {
            case Statement.Select select -> true;
            case Statement.Insert insert -> insert.target().isStored();
            case Statement.InsertSelect insert -> insert.target().isStored();
            case Statement.Update update -> update.target().isStored();
            case Statement.Delete delete -> delete.target().isStored();
            case Statement.Merge merge -> merge.target().isStored();
            default -> false;
        };
        if (!allowed) {
            throw refused(
                    part,
                    "A transaction has SELECT, INSERT, UPSERT, UPDATE, DELETE and MERGE of documents only; run this statement"
                            + " before or after it.");
        }
        parameters.addAll(parsed.parameters());
        userCalls.addAll(parsed.userCalls());
        steps.add(new Transaction.Run(before + statement));
    }

    private static String word(Token token) {
        return token.getText().toUpperCase(Locale.ROOT);
    }

    private static String words(List<Token> part) {
        return String.join(" ", part.stream().map(TransactionReader::word).toList());
    }

    private static QueryException refused(List<Token> part, String why) {
        Token first = part.getFirst();
        return QueryException.at(
                ErrorCode.NO_TRANSACTIONS,
                first.getLine(),
                first.getCharPositionInLine() + 1,
                why + " Nothing was written.");
    }
}
