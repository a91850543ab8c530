package io.millrace.n1ql.syntax;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.grammar.N1qlLexer;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonToken;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.ListTokenSource;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code NEXTVAL FOR path} as the call {@code NEXTVAL("path")}, before the parser sees it. So its words are not keywords,
 * and {@code ARRAY nextval FOR v IN list END} keeps its meaning.
 */
final class SequenceWords {

    private static final Map<List<String>, String> FUNCTIONS = Map.of(
            List.of("NEXTVAL", "FOR"), "nextval",
            List.of("NEXT", "VALUE", "FOR"), "nextval",
            List.of("PREVVAL", "FOR"), "prevval",
            List.of("PREV", "VALUE", "FOR"), "prevval",
            List.of("PREVIOUS", "VALUE", "FOR"), "prevval");

    private static final Pattern STEP = Pattern.compile("`((?:[^`]|``)+)`|([^`.]+)");

    private SequenceWords() {}

    /** Returns the tokens with calls in place of words; those that were given if they have none. */
    static CommonTokenStream calls(CommonTokenStream stream) {
        List<Token> tokens = stream.getTokens();
        List<Token> result = new ArrayList<>();
        for (int i = 0; i < tokens.size(); i++) {
            Found found = tokens.get(i).getChannel() == Token.DEFAULT_CHANNEL ? find(tokens, i) : null;
            if (found == null) {
                result.add(tokens.get(i));
            } else {
                result.addAll(call(found, tokens.get(i), tokens.get(found.last)));
                i = found.last;
            }
        }
        if (result.size() == tokens.size()) {
            return stream;
        }
        CommonTokenStream changed = new CommonTokenStream(new ListTokenSource(result));
        changed.fill();
        return changed;
    }

    /** A function, the path that it is called with, and the position of its last token. */
    private record Found(String function, List<String> path, int last) {}

    private static @Nullable Found find(List<Token> tokens, int from) {
        String first = tokens.get(from).getText().toUpperCase(Locale.ROOT);
        for (Map.Entry<List<String>, String> function : FUNCTIONS.entrySet()) {
            List<String> words = function.getKey();
            if (words.getFirst().equals(first)) {
                int at = from;
                int matched = 1;
                while (matched < words.size()) {
                    at = after(tokens, at);
                    if (!tokens.get(at).getText().equalsIgnoreCase(words.get(matched))) {
                        break;
                    }
                    matched++;
                }
                if (matched == words.size()) {
                    return path(tokens, after(tokens, at), function.getValue());
                }
            }
        }
        return null;
    }

    private static @Nullable Found path(List<Token> tokens, int from, String function) {
        List<String> path = new ArrayList<>();
        int at = from;
        int last = from;
        while (isName(tokens.get(at))) {
            path.add(TokenText.identifier(tokens.get(at)));
            last = at;
            at = after(tokens, at);
            boolean namespace = path.size() == 1 && tokens.get(at).getText().equals(":");
            if (namespace) {
                path.clear();
            } else if (!tokens.get(at).getText().equals(".")) {
                break;
            }
            at = after(tokens, at);
        }
        int next = tokens.get(at).getType();
        boolean loop = next == N1qlLexer.IN || next == N1qlLexer.WITHIN;
        return path.isEmpty() || loop ? null : new Found(function, path, last);
    }

    private static boolean isName(Token token) {
        return token.getType() == N1qlLexer.QUOTED || token.getText().matches("[\\p{L}_][\\p{L}\\p{N}_$]*");
    }

    /** Returns the position of the next token that is neither a blank nor a comment; the last one is the end. */
    private static int after(List<Token> tokens, int at) {
        int next = Math.min(at + 1, tokens.size() - 1);
        while (tokens.get(next).getChannel() != Token.DEFAULT_CHANNEL) {
            next++;
        }
        return next;
    }

    /** The tokens of the call stand where those of the words stood. */
    private static List<? extends Token> call(Found found, Token first, Token last) {
        StringBuilder path = new StringBuilder();
        for (String name : found.path) {
            path.append(path.isEmpty() ? "" : ".")
                    .append('`')
                    .append(name.replace("`", "``"))
                    .append('`');
        }
        String call = found.function + "(" + Value.of(path.toString()).toJson() + ")";
        List<? extends Token> tokens = new N1qlLexer(CharStreams.fromString(call)).getAllTokens();
        for (Token token : tokens) {
            CommonToken placed = (CommonToken) token;
            placed.setText(token.getText());
            placed.setLine(first.getLine());
            placed.setCharPositionInLine(first.getCharPositionInLine());
            placed.setStartIndex(first.getStartIndex());
            placed.setStopIndex(last.getStopIndex());
        }
        return tokens;
    }

    /** Returns whether a call is one of these functions. */
    static boolean isFunction(String name) {
        return name.equalsIgnoreCase("nextval") || name.equalsIgnoreCase("prevval");
    }

    /** Makes the expression of a call. */
    static Expr value(String function, List<Expr> args, Place place) {
        if (args.size() == 1
                && args.getFirst() instanceof Expr.Literal(var value)
                && value instanceof io.millrace.n1ql.value.StringValue text) {
            List<String> path = steps(text.text());
            if (!path.isEmpty()) {
                return new Expr.SequenceValue(path, function.equalsIgnoreCase("nextval"), place);
            }
        }
        String name = function.toUpperCase(Locale.ROOT);
        throw place.error(
                ErrorCode.SYNTAX,
                "%s needs the name of a sequence: %s FOR bucket.scope.name, or %s(\"bucket.scope.name\")"
                        .formatted(name, name, name));
    }

    private static List<String> steps(String path) {
        List<String> steps = new ArrayList<>();
        Matcher step = STEP.matcher(path.startsWith("default:") ? path.substring("default:".length()) : path);
        while (step.find()) {
            steps.add(step.group(1) == null ? step.group(2) : step.group(1).replace("``", "`"));
        }
        return steps;
    }
}
