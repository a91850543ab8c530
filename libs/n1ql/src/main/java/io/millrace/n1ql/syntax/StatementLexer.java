package io.millrace.n1ql.syntax;

import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.StatementLimits;
import io.millrace.n1ql.grammar.N1qlLexer;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.Token;

/** Reads the tokens of a statement, comments among them; fails before a long text has become millions of tokens. */
final class StatementLexer extends N1qlLexer {

    private int count;

    StatementLexer(String text) {
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
