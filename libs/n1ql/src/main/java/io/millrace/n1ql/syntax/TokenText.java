package io.millrace.n1ql.syntax;

import io.millrace.n1ql.grammar.N1qlParser.AnyWordContext;
import io.millrace.n1ql.grammar.N1qlParser.NameContext;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.jspecify.annotations.Nullable;

/** Reads names, strings and places from tokens. */
final class TokenText {

    private TokenText() {}

    static String name(NameContext context) {
        TerminalNode quoted = context.QUOTED();
        return quoted == null ? context.getText() : unquoteName(quoted.getText());
    }

    /** Returns the name that a token is, without backticks. */
    static String identifier(Token token) {
        return token.getText().startsWith("`") ? unquoteName(token.getText()) : token.getText();
    }

    static @Nullable String optional(@Nullable NameContext context) {
        return context == null ? null : name(context);
    }

    static List<String> names(List<NameContext> contexts) {
        List<String> names = new ArrayList<>();
        contexts.forEach(context -> names.add(name(context)));
        return names;
    }

    static String word(AnyWordContext context) {
        return context.getText();
    }

    static String unquoteName(String quoted) {
        return quoted.substring(1, quoted.length() - 1).replace("``", "`");
    }

    static String unquoteNameIgnoringCase(String quoted) {
        return unquoteName(quoted.substring(0, quoted.length() - 1));
    }

    static Place place(ParserRuleContext context) {
        return place(context.getStart());
    }

    static Place place(Token token) {
        return new Place(token.getLine(), token.getCharPositionInLine() + 1);
    }

    /** Decodes a string literal: a doubled quotation mark is one, and JSON escapes are decoded. */
    static String unquote(String literal) {
        char quote = literal.charAt(0);
        StringBuilder out = new StringBuilder();
        int end = literal.length() - 1;
        for (int i = 1; i < end; i++) {
            char c = literal.charAt(i);
            if (c == quote) {
                i++;
                out.append(quote);
            } else if (c == '\\' && i + 1 < end) {
                i = escape(literal, i + 1, out);
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    private static int escape(String literal, int at, StringBuilder out) {
        char c = literal.charAt(at);
        switch (c) {
            case 'n' -> out.append('\n');
            case 'r' -> out.append('\r');
            case 't' -> out.append('\t');
            case 'b' -> out.append('\b');
            case 'f' -> out.append('\f');
            case 'u' -> {
                String digits = at + 5 <= literal.length() ? literal.substring(at + 1, at + 5) : "";
                if (digits.matches("[0-9a-fA-F]{4}")) {
                    out.append((char) Integer.parseInt(digits, 16));
                    return at + 4;
                }
                out.append('u');
            }
            default -> out.append(c);
        }
        return at;
    }
}
