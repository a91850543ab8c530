package io.millrace.n1ql.syntax;

import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.grammar.N1qlLexer;
import io.millrace.n1ql.keyspace.SequenceOptions;
import io.millrace.n1ql.value.Json;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

/**
 * Reads CREATE, ALTER and DROP SEQUENCE from their tokens. Their words are not keywords of the grammar, so that fields may have
 * their names: {@code cache}, {@code start}, {@code increment}.
 */
final class SequenceReader {

    private static final Set<String> VERBS = Set.of("CREATE", "ALTER", "DROP");

    private static final String EXPECTED =
            "START WITH, INCREMENT BY, MINVALUE, MAXVALUE, CYCLE, CACHE, RESTART (of ALTER) or WITH {...}";

    private final String text;
    private final List<Token> tokens;
    private int at = 2;

    private @Nullable Long start;
    private @Nullable Long increment;
    private @Nullable Long min;
    private @Nullable Long max;
    private @Nullable Boolean cycle;
    private @Nullable Long cache;
    private boolean restart;
    private @Nullable Long restartWith;

    private SequenceReader(String text, List<Token> tokens) {
        this.text = text;
        this.tokens = tokens;
    }

    /** Returns the statement, or null if the tokens begin another one; throws a {@link QueryException} if it is wrong. */
    static @Nullable Statement read(String text, List<Token> all) {
        List<Token> tokens = all.stream()
                .filter(token -> token.getChannel() == Token.DEFAULT_CHANNEL)
                .toList();
        if (tokens.getFirst().getType() == N1qlLexer.EXPLAIN) {
            Statement explained = read(text, tokens.subList(1, tokens.size()));
            return explained == null ? null : new Statement.Explain(explained);
        }
        boolean sequence = tokens.size() > 2
                && VERBS.contains(upper(tokens.get(0)))
                && upper(tokens.get(1)).equals("SEQUENCE");
        return sequence ? new SequenceReader(text, tokens).statement(upper(tokens.get(0))) : null;
    }

    private static String upper(Token token) {
        return token.getText().toUpperCase(java.util.Locale.ROOT);
    }

    private Statement statement(String verb) {
        String[] condition =
                verb.equals("CREATE") ? new String[] {"IF", "NOT", "EXISTS"} : new String[] {"IF", "EXISTS"};
        boolean before = skip(condition);
        List<String> path = path();
        boolean lenient = skip(condition) || before;
        if (!verb.equals("DROP")) {
            while (!atEnd()) {
                option(verb.equals("ALTER"));
            }
        }
        while (skip(";")) {
            // an end, or several
        }
        if (tokens.get(at).getType() != Token.EOF) {
            throw unexpected(verb.equals("DROP") ? "the end of the statement" : EXPECTED);
        }
        return switch (verb) {
            case "CREATE" -> new Statement.CreateSequence(path, options(), lenient);
            case "ALTER" -> new Statement.AlterSequence(path, options(), lenient);
            default -> new Statement.DropSequence(path, lenient);
        };
    }

    private SequenceOptions options() {
        return new SequenceOptions(start, increment, min, max, cycle, cache, restart, restartWith);
    }

    private boolean atEnd() {
        Token token = tokens.get(at);
        return token.getType() == Token.EOF || token.getText().equals(";");
    }

    private QueryException unexpected(String expected) {
        Token token = tokens.get(at);
        String found = token.getType() == Token.EOF ? "end of input" : token.getText();
        return QueryException.syntax(
                token.getLine(), token.getCharPositionInLine() + 1, "at: " + found + "; expected " + expected);
    }

    private boolean skip(String... words) {
        for (int i = 0; i < words.length; i++) {
            if (at + i >= tokens.size() || !upper(tokens.get(at + i)).equals(words[i])) {
                return false;
            }
        }
        at += words.length;
        return true;
    }

    /** The namespace, which there is only one of, is left out. */
    private List<String> path() {
        String first = name();
        List<String> path = new ArrayList<>();
        path.add(skip(":") ? name() : first);
        while (skip(".")) {
            path.add(name());
        }
        return path;
    }

    private String name() {
        Token token = tokens.get(at);
        boolean quoted = token.getType() == N1qlLexer.QUOTED;
        if (!quoted && (token.getType() == Token.EOF || !token.getText().matches("[\\p{L}_][\\p{L}\\p{N}_$]*"))) {
            throw unexpected("the name of a sequence");
        }
        at++;
        return TokenText.identifier(token);
    }

    private void option(boolean alter) {
        if (skip("START", "WITH")) {
            start = integer();
        } else if (skip("INCREMENT", "BY")) {
            increment = integer();
        } else if (skip("NO", "MINVALUE")) {
            min = Long.MIN_VALUE;
        } else if (skip("MINVALUE")) {
            min = integer();
        } else if (skip("NO", "MAXVALUE")) {
            max = Long.MAX_VALUE;
        } else if (skip("MAXVALUE")) {
            max = integer();
        } else if (skip("NO", "CYCLE")) {
            cycle = false;
        } else if (skip("CYCLE")) {
            cycle = true;
        } else if (skip("NO", "CACHE")) {
            cache = 1L;
        } else if (skip("CACHE")) {
            cache = integer();
        } else if (alter && skip("RESTART")) {
            restart = true;
            restartWith = skip("WITH") ? Long.valueOf(integer()) : null;
        } else if (skip("WITH")) {
            object(alter);
        } else {
            throw unexpected(EXPECTED);
        }
    }

    private long integer() {
        String sign = skip("-") ? "-" : "";
        try {
            long value = Long.parseLong(sign + tokens.get(at).getText());
            at++;
            return value;
        } catch (NumberFormatException e) {
            throw unexpected("a 64-bit integer");
        }
    }

    /** An object in place of words, which is the rest of the statement. */
    private void object(boolean alter) {
        Token first = tokens.get(at);
        int from = first.getStartIndex();
        int last = tokens.size() - 2;
        while (last > at && tokens.get(last).getText().equals(";")) {
            last--;
        }
        int to = tokens.get(last).getStopIndex() + 1;
        String json = text.substring(text.offsetByCodePoints(0, from), text.offsetByCodePoints(0, Math.max(from, to)));
        if (!(Json.parse(json) instanceof ObjectValue object)) {
            throw unexpected("a JSON object such as {\"start\": 1, \"increment\": 1}");
        }
        for (Map.Entry<String, Value> field : object.fields().entrySet()) {
            field(field.getKey(), field.getValue(), alter);
        }
        at = last + 1;
    }

    private void field(String name, Value value, boolean alter) {
        switch (name) {
            case "start" -> start = integer(name, value);
            case "increment" -> increment = integer(name, value);
            case "min" -> min = integer(name, value);
            case "max" -> max = integer(name, value);
            case "cache" -> cache = integer(name, value);
            case "cycle" -> cycle = value.truth();
            case "restart" -> {
                if (!alter) {
                    throw unexpected("no restart: a new sequence begins at its start");
                }
                restart = value != Value.FALSE;
                restartWith = value instanceof NumberValue ? Long.valueOf(integer(name, value)) : null;
            }
            default -> throw unexpected("the fields start, increment, min, max, cycle, cache and restart, not " + name);
        }
    }

    private long integer(String name, Value value) {
        if (value instanceof NumberValue number && number.isInteger()) {
            return number.longValue();
        }
        throw unexpected("a 64-bit integer as " + name);
    }
}
