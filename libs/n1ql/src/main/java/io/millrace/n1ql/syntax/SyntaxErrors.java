package io.millrace.n1ql.syntax;

import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.grammar.N1qlLexer;
import io.millrace.n1ql.grammar.N1qlParser;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.antlr.v4.runtime.CommonToken;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.Vocabulary;
import org.jspecify.annotations.Nullable;

/**
 * Says what is wrong with a text that does not parse. What could stand at the place of the error is found out by parsing the
 * text up to it with each kind of token behind: that is exact, and costs time only when there is an error.
 */
final class SyntaxErrors {

    /** Behind so many tokens, the text up to the error is not parsed again. */
    private static final int MOST_TOKENS = 400;

    /** A correction is tried with so many tokens behind the error. */
    private static final int MOST_AHEAD = 100;

    /** So many words before the error may have caused it. */
    private static final int WORDS_BEFORE = 2;

    /** More alternatives do not help. */
    private static final int MOST_SHOWN = 8;

    private static final Vocabulary VOCABULARY = N1qlParser.VOCABULARY;

    /** The words of each kind of token that stands for many texts. */
    private static final List<Kind> KINDS = List.of(
            new Kind(N1qlLexer.STRING, "\"\""), new Kind(N1qlLexer.INTEGER, "1"), new Kind(N1qlLexer.IDENTIFIER, "x"));

    private static final List<String> CLOSERS = List.of(")", "]", "}", "END", ",");

    private static final Set<String> OPERATORS = Set.of(
            "=", "==", "!=", "<>", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "||", ".", "[", ":", "AND", "OR",
            "NOT", "IS", "IN", "LIKE", "BETWEEN", "WITHIN", "DIV", "MOD", "?", "(");

    private record Kind(int type, String text) {}

    private final List<Token> tokens;
    private final int at;

    /**
     * @param tokens all visible tokens, the end of the text last
     * @param at the first token that cannot continue the text before it
     */
    private SyntaxErrors(List<Token> tokens, int at) {
        this.tokens = tokens;
        this.at = at;
    }

    /** Returns the error of a text that does not parse. */
    static QueryException of(List<Token> all) {
        List<Token> visible = all.stream()
                .filter(token -> token.getChannel() == Token.DEFAULT_CHANNEL)
                .toList();
        for (Token token : visible) {
            String open = open(token, all);
            if (open != null) {
                return error(token, open);
            }
        }
        return new SyntaxErrors(visible, Probe.errorAt(visible)).error();
    }

    /** Returns what is open at a token that no rule of the lexer could take as a whole, or null. */
    private static @Nullable String open(Token token, List<Token> all) {
        if (token.getType() != N1qlLexer.OTHER && !token.getText().equals("/")) {
            return null;
        }
        return switch (token.getText()) {
            case "\"", "'" ->
                "the string is not closed; add " + token.getText() + " at its end, and write a " + token.getText()
                        + " within it twice";
            case "`" -> "the name is not closed; add ` at its end";
            case "/" -> {
                int next = token.getTokenIndex() + 1;
                boolean comment = next < all.size() && all.get(next).getText().equals("*");
                yield comment && all.get(next).getStartIndex() == token.getStopIndex() + 1
                        ? "the comment is not closed; add */ at its end"
                        : null;
            }
            default -> null;
        };
    }

    private static QueryException error(Token token, String what) {
        return QueryException.syntax(token.getLine(), token.getCharPositionInLine() + 1, what);
    }

    private QueryException error() {
        Token wrong = tokens.get(at);
        String text = "at: " + (wrong.getType() == Token.EOF ? "end of input" : wrong.getText());
        if (at > MOST_TOKENS) {
            return error(wrong, text);
        }
        Meant meant = meant();
        if (meant != null) {
            String instead = meant.index() == at
                    ? ""
                    : " instead of " + tokens.get(meant.index()).getText();
            return error(wrong, text + "; did you mean " + meant.keyword() + instead + "?");
        }
        if (isKeyword(wrong) && Probe.errorAt(replaced(at, N1qlLexer.IDENTIFIER, "x")) > at) {
            return error(
                    wrong, text + " (reserved word); if it is a name, put it in backticks: `" + wrong.getText() + "`");
        }
        if (at == 0) {
            return error(wrong, text + "; expected SELECT, INSERT, UPDATE, DELETE, CREATE INDEX or another statement");
        }
        return error(wrong, text + unclosed(wrong) + expected());
    }

    /** A keyword that makes the text parse as far as {@code reached} if it replaces a word. */
    private record Meant(int index, String keyword, int reached, int distance) {}

    /** Returns the keyword that a word was meant to be: a misspelled one may have passed as a name. */
    private @Nullable Meant meant() {
        List<Meant> found = new ArrayList<>();
        for (int i = Math.max(0, at - WORDS_BEFORE); i <= at; i++) {
            if (tokens.get(i).getType() == N1qlLexer.IDENTIFIER) {
                addMeant(i, found);
            }
        }
        return found.stream()
                .filter(meant -> meant.reached() > at)
                .max(Comparator.comparingInt(Meant::reached)
                        .thenComparing(Comparator.comparingInt(Meant::distance).reversed()))
                .orElse(null);
    }

    private void addMeant(int index, List<Meant> found) {
        String word = tokens.get(index).getText();
        for (int type = 1; type <= VOCABULARY.getMaxTokenType(); type++) {
            String keyword = keyword(type);
            if (keyword != null && Suggestion.closest(word, List.of(keyword)).isPresent()) {
                int reached = Probe.errorAt(replaced(index, type, keyword));
                found.add(new Meant(index, keyword, reached, Suggestion.distance(word, keyword)));
            }
        }
    }

    private List<Token> replaced(int index, int type, String text) {
        int end = Math.min(tokens.size() - 1, at + MOST_AHEAD);
        List<Token> changed = new ArrayList<>(tokens.subList(0, end));
        changed.add(new CommonToken(Token.EOF, "<EOF>"));
        changed.set(index, new CommonToken(type, text));
        return changed;
    }

    /** Returns which bracket is still open at the end of the text, or closed without being open. */
    private String unclosed(Token wrong) {
        List<Token> open = new ArrayList<>();
        for (Token token : tokens.subList(0, at)) {
            switch (token.getText()) {
                case "(", "[", "{", "CASE", "case" -> open.add(token);
                case ")", "]", "}", "END", "end" -> {
                    if (!open.isEmpty()) {
                        open.removeLast();
                    }
                }
                default -> {}
            }
        }
        if (open.isEmpty()) {
            return List.of(")", "]", "}").contains(wrong.getText()) ? "; no bracket is open" : "";
        }
        if (wrong.getType() != Token.EOF) {
            return "";
        }
        Token last = open.getLast();
        return "; the " + last.getText() + " at line " + last.getLine() + ", column "
                + (last.getCharPositionInLine() + 1) + " is not closed";
    }

    private String expected() {
        Set<String> words = new TreeSet<>();
        List<String> shown = new ArrayList<>();
        boolean operator = false;
        for (int type = 1; type <= VOCABULARY.getMaxTokenType(); type++) {
            String literal = literal(type);
            if (literal != null && fits(type, literal)) {
                String word = literal.toUpperCase(Locale.ROOT);
                if (OPERATORS.contains(word)) {
                    operator = true;
                } else if (!isName(type, word)) {
                    words.add(word);
                }
            }
        }
        List<Kind> kinds =
                KINDS.stream().filter(kind -> fits(kind.type(), kind.text())).toList();
        if (kinds.size() == KINDS.size()) {
            return "; expected an expression"; // and what begins one
        }
        CLOSERS.stream().filter(words::remove).map(SyntaxErrors::quoted).forEach(shown::add);
        words.remove(";");
        if (kinds.stream().anyMatch(kind -> kind.type() == N1qlLexer.IDENTIFIER)) {
            shown.add("a name");
        } else if (!kinds.isEmpty()) {
            shown.add(kinds.getFirst().type() == N1qlLexer.STRING ? "a string" : "a number");
        } else if (operator) {
            shown.add("an operator");
        }
        shown.addAll(words);
        if (Probe.errorAt(ended(List.of())) > at) {
            shown.add("the end of the statement");
        }
        return shown.isEmpty() ? "" : "; expected " + list(shown);
    }

    private static String list(List<String> shown) {
        if (shown.size() > MOST_SHOWN) {
            return String.join(", ", shown.subList(0, MOST_SHOWN)) + ", ...";
        }
        int last = shown.size() - 1;
        return last == 0 ? shown.getFirst() : String.join(", ", shown.subList(0, last)) + " or " + shown.get(last);
    }

    private static String quoted(String sign) {
        return Character.isLetter(sign.charAt(0)) ? sign : "\"" + sign + "\"";
    }

    private boolean fits(int type, String text) {
        return Probe.errorAt(ended(List.of(new CommonToken(type, text)))) > at;
    }

    /** Returns the text up to the error, and what stands behind it instead. */
    private List<Token> ended(List<Token> instead) {
        List<Token> changed = new ArrayList<>(tokens.subList(0, at));
        changed.addAll(instead);
        changed.add(new CommonToken(Token.EOF, "<EOF>"));
        return changed;
    }

    private static boolean isName(int type, String word) {
        List<Token> query = List.of(
                new CommonToken(N1qlLexer.SELECT, "SELECT"),
                new CommonToken(N1qlLexer.INTEGER, "1"),
                new CommonToken(N1qlLexer.AS, "AS"),
                new CommonToken(type, word),
                new CommonToken(Token.EOF, "<EOF>"));
        return Probe.errorAt(query) == query.size();
    }

    private static boolean isKeyword(Token token) {
        return keyword(token.getType()) != null;
    }

    private static @Nullable String keyword(int type) {
        String literal = literal(type);
        return literal != null && Character.isLetter(literal.charAt(0)) ? literal.toUpperCase(Locale.ROOT) : null;
    }

    private static @Nullable String literal(int type) {
        String quoted = VOCABULARY.getLiteralName(type);
        return quoted == null ? null : quoted.substring(1, quoted.length() - 1);
    }
}
