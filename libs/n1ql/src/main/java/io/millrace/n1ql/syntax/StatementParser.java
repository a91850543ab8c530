package io.millrace.n1ql.syntax;

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
import org.antlr.v4.runtime.WritableToken;
import org.antlr.v4.runtime.atn.PredictionMode;
import org.jspecify.annotations.Nullable;

/** Parses statements. */
public final class StatementParser {

    /** The deepest nesting; the parser is recursive. */
    private static final int MAX_NESTING = 400;

    private static final String NO_STATISTICS =
            "UPDATE STATISTICS has no effect: plans are chosen by counts that the indexes keep at all times.";

    private StatementParser() {}

    /** Parses one statement; throws {@link QueryException} with the place of the first error. */
    public static ParsedStatement parse(String text) {
        ErrorNotes errors = new ErrorNotes();
        N1qlLexer lexer = new N1qlLexer(CharStreams.fromString(text));
        lexer.removeErrorListeners();
        lexer.addErrorListener(errors);
        CommonTokenStream tokens = new CommonTokenStream(lexer);
        refuseDeepNesting(tokens);
        ParsedStatement transaction = TransactionReader.read(text, tokens.getTokens());
        if (transaction != null) {
            return transaction;
        }
        boolean analyzes = hideAnalyze(tokens);
        Statement sequence = SequenceReader.read(text, tokens.getTokens());
        if (sequence != null) {
            return new ParsedStatement(sequence, Set.of(), List.of(), analyzes, List.of());
        }
        tokens = SequenceWords.calls(tokens);
        N1qlParser parser = new N1qlParser(tokens);
        parser.removeErrorListeners();
        parser.addErrorListener(errors);
        // the fast prediction decides nearly all texts; full prediction is tried for the others
        parser.getInterpreter().setPredictionMode(PredictionMode.SLL);
        StatementContext tree = parser.statement();
        if (errors.found) {
            errors.found = false;
            tokens.seek(0);
            parser.reset();
            parser.getInterpreter().setPredictionMode(PredictionMode.LL);
            tree = parser.statement();
            if (errors.found) {
                if (updatesStatistics(tokens)) {
                    return new ParsedStatement(
                            new Statement.Nothing(NO_STATISTICS), Set.of(), List.of(), false, List.of());
                }
                throw SyntaxErrors.of(tokens.getTokens());
            }
        }
        List<Integer> questionMarks = tokens.getTokens().stream()
                .filter(token -> token.getText().equals("?"))
                .map(Token::getStartIndex)
                .toList();
        return new StatementBuilder(text, questionMarks, new HintReader(tokens.getTokens()), analyzes).statement(tree);
    }

    /** Called only for texts that do not parse: a keyspace may have this name. */
    private static boolean updatesStatistics(CommonTokenStream tokens) {
        List<String> words = tokens.getTokens().stream()
                .filter(token -> token.getChannel() == Token.DEFAULT_CHANNEL)
                .map(token -> token.getText().toUpperCase(Locale.ROOT))
                .limit(3)
                .toList();
        return words.size() == 3
                && words.subList(0, 2).equals(List.of("UPDATE", "STATISTICS"))
                && !words.get(2).equals("SET");
    }

    /** ANALYZE is a word behind EXPLAIN only, where nothing else can stand; returns whether it does. */
    private static boolean hideAnalyze(CommonTokenStream tokens) {
        List<Token> words = tokens.getTokens().stream()
                .filter(token -> token.getChannel() == Token.DEFAULT_CHANNEL)
                .limit(2)
                .toList();
        boolean analyzes = words.size() == 2
                && words.getFirst().getType() == N1qlLexer.EXPLAIN
                && words.getLast().getText().equalsIgnoreCase("ANALYZE");
        if (analyzes) {
            ((WritableToken) words.getLast()).setChannel(Token.HIDDEN_CHANNEL);
        }
        return analyzes;
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

    /** Records that there are errors; which, is found out only when full prediction has them as well. */
    private static final class ErrorNotes extends BaseErrorListener {

        private boolean found;

        @Override
        public void syntaxError(
                Recognizer<?, ?> recognizer,
                @Nullable Object symbol,
                int line,
                int column,
                @Nullable String message,
                @Nullable RecognitionException cause) {
            found = true;
        }
    }

    /**
     * A statement.
     *
     * @param parameters the names of its parameters in the order of the text; positional ones are numbers from 1
     * @param hints the optimizer hints in comments and USE clauses
     * @param analyzes whether it is EXPLAIN ANALYZE
     * @param userCalls its calls of functions that are not those of the language
     */
    public record ParsedStatement(
            Statement statement,
            Set<String> parameters,
            List<OptimizerHint> hints,
            boolean analyzes,
            List<Expr.UserCall> userCalls) {}
}
