package io.millrace.n1ql.syntax;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.StatementLimits;
import io.millrace.n1ql.grammar.N1qlLexer;
import io.millrace.n1ql.grammar.N1qlParser;
import io.millrace.n1ql.grammar.N1qlParser.StatementContext;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
            " has no effect: plans are chosen by counts that the indexes keep at all times.";

    private static final String NO_USERS =
            " is not done by a statement: users, groups and roles are managed with ./millrace"
                    + " user, on the page Access of the console, or at the identity provider.";

    /** Statements of Couchbase that change nothing here, by their first words, and why. */
    private static final Map<List<String>, String> WITHOUT_EFFECT = Map.of(
            List.of("UPDATE", "STATISTICS"), NO_STATISTICS,
            List.of("ANALYZE"), NO_STATISTICS,
            List.of("ALTER", "INDEX"),
                    " has no effect: an index is where its documents are, and has the replicas of its Redis.");

    /** Statements of Couchbase that are refused, by their first words, and what to do instead. */
    private static final Map<List<String>, String> REFUSED = Map.ofEntries(
            Map.entry(List.of("GRANT"), NO_USERS),
            Map.entry(List.of("REVOKE"), NO_USERS),
            Map.entry(List.of("CREATE", "USER"), NO_USERS),
            Map.entry(List.of("ALTER", "USER"), NO_USERS),
            Map.entry(List.of("DROP", "USER"), NO_USERS),
            Map.entry(List.of("CREATE", "GROUP"), NO_USERS),
            Map.entry(List.of("ALTER", "GROUP"), NO_USERS),
            Map.entry(List.of("DROP", "GROUP"), NO_USERS),
            Map.entry(
                    List.of("ALTER", "BUCKET"),
                    " is not possible: a bucket has no settings that a statement could change."),
            Map.entry(List.of("CREATE", "VECTOR"), " INDEX is not possible: there are no vector indexes."),
            Map.entry(
                    List.of("EXPLAIN", "FUNCTION"),
                    " is not possible: system:functions has the text of the function; EXPLAIN the query in it."));

    private StatementParser() {}

    /** Parses one statement; throws {@link QueryException} with the place of the first error. */
    public static ParsedStatement parse(String text) {
        ErrorNotes errors = new ErrorNotes();
        N1qlLexer lexer = new CountingLexer(text);
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
        boolean flattenedOrder = hideOrderOfFlattened(tokens);
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
                return knownElsewhere(tokens);
            }
        }
        List<Integer> questionMarks = tokens.getTokens().stream()
                .filter(token -> token.getText().equals("?"))
                .map(Token::getStartIndex)
                .toList();
        return new StatementBuilder(text, questionMarks, new HintReader(tokens.getTokens()), analyzes, flattenedOrder)
                .statement(tree);
    }

    /** Called only for texts that do not parse: a keyspace may have a name of these. */
    private static ParsedStatement knownElsewhere(CommonTokenStream tokens) {
        List<String> words = tokens.getTokens().stream()
                .filter(token -> token.getChannel() == Token.DEFAULT_CHANNEL)
                .map(token -> token.getText().toUpperCase(Locale.ROOT))
                .limit(3)
                .toList();
        List<String> first = beginning(words, WITHOUT_EFFECT.keySet());
        if (first != null) {
            String note = String.join(" ", first) + WITHOUT_EFFECT.get(first);
            return new ParsedStatement(new Statement.Nothing(note), Set.of(), List.of(), false, List.of());
        }
        first = beginning(words, REFUSED.keySet());
        if (first != null) {
            throw QueryException.of(ErrorCode.SEMANTICS, String.join(" ", first) + REFUSED.get(first));
        }
        throw SyntaxErrors.of(tokens.getTokens());
    }

    /** Returns which of the beginnings the words have; null for none, and if SET follows, as behind the name of a keyspace. */
    private static @Nullable List<String> beginning(List<String> words, Set<List<String>> beginnings) {
        return beginnings.stream()
                .filter(beginning -> words.size() > beginning.size()
                        && words.subList(0, beginning.size()).equals(beginning)
                        && !words.get(beginning.size()).equals("SET"))
                .findFirst()
                .orElse(null);
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

    /**
     * ASC, DESC and INCLUDE MISSING stand behind arguments of FLATTEN_KEYS in CREATE INDEX only; returns whether one of them asks
     * for more than the usual order.
     */
    private static boolean hideOrderOfFlattened(CommonTokenStream tokens) {
        List<Token> words = tokens.getTokens().stream()
                .filter(token -> token.getChannel() == Token.DEFAULT_CHANNEL)
                .toList();
        if (words.size() < 2
                || words.getFirst().getType() != N1qlLexer.CREATE
                || words.get(1).getType() != N1qlLexer.INDEX) {
            return false;
        }
        boolean asks = false;
        int depth = 0;
        for (int i = 1; i < words.size(); i++) {
            boolean begins = words.get(i).getText().equals("(");
            if (depth == 0 && !(begins && words.get(i - 1).getText().equalsIgnoreCase("FLATTEN_KEYS"))) {
                continue;
            }
            depth += begins ? 1 : words.get(i).getText().equals(")") ? -1 : 0;
            String word = words.get(i).getText().toUpperCase(Locale.ROOT);
            boolean includes = word.equals("INCLUDE") && words.get(i + 1).getType() == N1qlLexer.MISSING;
            if (depth == 1 && (includes || word.equals("ASC") || word.equals("DESC"))) {
                asks |= !word.equals("ASC");
                ((WritableToken) words.get(i)).setChannel(Token.HIDDEN_CHANNEL);
                if (includes) {
                    ((WritableToken) words.get(i + 1)).setChannel(Token.HIDDEN_CHANNEL);
                }
            }
        }
        return asks;
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

    /** Reads the tokens of a statement, comments among them; fails before a long text has become millions of tokens. */
    static final class CountingLexer extends N1qlLexer {

        private int count;

        CountingLexer(String text) {
            super(CharStreams.fromString(text));
        }

        @Override
        public Token nextToken() {
            Token token = super.nextToken();
            if (token.getType() != Token.EOF && ++count > StatementLimits.MAX_TOKENS) {
                throw QueryException.syntax(
                        token.getLine(),
                        token.getCharPositionInLine() + 1,
                        "more than " + StatementLimits.MAX_TOKENS + " tokens; pass data as parameters");
            }
            return token;
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
