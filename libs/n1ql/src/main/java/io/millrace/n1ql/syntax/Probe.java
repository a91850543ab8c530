package io.millrace.n1ql.syntax;

import io.millrace.n1ql.grammar.N1qlParser;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.CommonToken;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.ListTokenSource;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.atn.PredictionMode;
import org.antlr.v4.runtime.misc.ParseCancellationException;
import org.jspecify.annotations.Nullable;

/** Parses tokens only to see how far they make sense. */
final class Probe {

    private Probe() {}

    /** Returns the index of the first token that cannot continue those before it; past all tokens if they are a statement. */
    static int errorAt(List<Token> tokens) {
        int quick = errorAt(tokens, PredictionMode.SLL);
        return quick == tokens.size() ? quick : errorAt(tokens, PredictionMode.LL);
    }

    private static int errorAt(List<Token> tokens, PredictionMode mode) {
        List<Token> copies = new ArrayList<>();
        tokens.forEach(token -> copies.add(new CommonToken(token)));
        N1qlParser parser = new N1qlParser(new CommonTokenStream(new ListTokenSource(copies)));
        FirstError first = new FirstError();
        parser.removeErrorListeners();
        parser.addErrorListener(first);
        parser.getInterpreter().setPredictionMode(mode);
        try {
            parser.statement();
        } catch (ParseCancellationException e) {
            return first.index;
        }
        return tokens.size();
    }

    private static final class FirstError extends BaseErrorListener {

        private int index;

        @Override
        public void syntaxError(
                Recognizer<?, ?> recognizer,
                @Nullable Object symbol,
                int line,
                int column,
                @Nullable String message,
                @Nullable RecognitionException cause) {
            index = symbol instanceof Token token ? token.getTokenIndex() : 0;
            throw new ParseCancellationException();
        }
    }
}
