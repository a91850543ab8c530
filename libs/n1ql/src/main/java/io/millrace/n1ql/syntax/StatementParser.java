package io.millrace.n1ql.syntax;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.grammar.N1qlLexer;
import io.millrace.n1ql.grammar.N1qlParser;
import io.millrace.n1ql.grammar.N1qlParser.StatementContext;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.atn.PredictionMode;
import org.jspecify.annotations.Nullable;

/** Parses statements. */
public final class StatementParser {

    /** The deepest nesting; the parser is recursive. */
    private static final int MAX_NESTING = 400;

    /** The first words of the statements that begin, end and divide transactions. */
    private static final Set<String> TRANSACTION_WORDS = Set.of("BEGIN", "START", "COMMIT", "ROLLBACK", "SAVEPOINT");

    private StatementParser() {}

    /** Parses one statement; throws {@link QueryException} with the place of the first error. */
    public static ParsedStatement parse(String text) {
        ErrorNotes errors = new ErrorNotes();
        N1qlLexer lexer = new N1qlLexer(CharStreams.fromString(text));
        lexer.removeErrorListeners();
        lexer.addErrorListener(errors);
        CommonTokenStream tokens = new CommonTokenStream(lexer);
        refuseDeepNesting(tokens);
        N1qlParser parser = new N1qlParser(tokens);
        parser.removeErrorListeners();
        parser.addErrorListener(errors);
        // the fast prediction decides nearly all texts; full prediction is tried for the others
        parser.getInterpreter().setPredictionMode(PredictionMode.SLL);
        StatementContext tree = parser.statement();
        if (errors.first != null) {
            errors.first = null;
            tokens.seek(0);
            parser.reset();
            parser.getInterpreter().setPredictionMode(PredictionMode.LL);
            tree = parser.statement();
            if (errors.first != null) {
                refuseTransaction(tokens);
                throw errors.first;
            }
        }
        List<Integer> questionMarks = tokens.getTokens().stream()
                .filter(token -> token.getText().equals("?"))
                .map(Token::getStartIndex)
                .toList();
        boolean hinted = tokens.getTokens().stream()
                .anyMatch(token -> token.getType() == N1qlLexer.BLOCK_COMMENT
                        && token.getText().startsWith("/*+"));
        return new StatementBuilder(text, questionMarks, hinted).statement(tree);
    }

    private static void refuseTransaction(CommonTokenStream tokens) {
        Token first = tokens.getTokens().getFirst();
        if (TRANSACTION_WORDS.contains(first.getText().toUpperCase(Locale.ROOT))) {
            throw QueryException.at(
                    ErrorCode.NO_TRANSACTIONS,
                    first.getLine(),
                    first.getCharPositionInLine() + 1,
                    "Statements cannot be joined in a transaction: each statement is complete when it is answered.");
        }
    }

    private static void refuseDeepNesting(CommonTokenStream tokens) {
        tokens.fill();
        int depth = 0;
        for (Token token : tokens.getTokens()) {
            switch (token.getText()) {
                case "(", "[", "{" -> depth++;
                case ")", "]", "}" -> depth--;
                default -> {}
            }
            if (depth > MAX_NESTING) {
                throw QueryException.syntax(
                        token.getLine(), token.getCharPositionInLine() + 1, "nested deeper than " + MAX_NESTING);
            }
        }
    }

    private static final class ErrorNotes extends BaseErrorListener {

        private @Nullable QueryException first;

        @Override
        public void syntaxError(
                Recognizer<?, ?> recognizer,
                @Nullable Object symbol,
                int line,
                int column,
                @Nullable String message,
                @Nullable RecognitionException cause) {
            if (first == null) {
                first = QueryException.syntax(line, column + 1, describe(symbol));
            }
        }

        private static String describe(@Nullable Object symbol) {
            if (!(symbol instanceof Token token)) {
                return "unreadable text";
            }
            return token.getType() == Token.EOF ? "at: end of input" : "at: " + token.getText();
        }
    }

    /**
     * A statement.
     *
     * @param parameters the names of its parameters in the order of the text; positional ones are numbers from 1
     * @param hinted whether the text has optimizer hints in a comment
     */
    public record ParsedStatement(Statement statement, Set<String> parameters, boolean hinted) {}
}
