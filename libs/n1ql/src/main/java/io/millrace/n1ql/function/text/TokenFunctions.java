package io.millrace.n1ql.function.text;

import com.google.re2j.Pattern;
import io.millrace.n1ql.function.spec.Args;
import io.millrace.n1ql.function.spec.Bounds;
import io.millrace.n1ql.function.spec.CancellableText;
import io.millrace.n1ql.function.spec.FunctionContext;
import io.millrace.n1ql.function.spec.FunctionSpec;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Functions of tokens: the words of texts, and other atoms as they are, at any depth of arrays and objects. Options:
 * {@code case} "lower" or "upper", {@code names} (default true) for the names of fields, {@code split} (default true),
 * {@code trim}, {@code specials} for addresses and numbers as they are written.
 */
final class TokenFunctions {

    private final Set<Value> tokens = new LinkedHashSet<>();
    private final Value options;
    private final boolean names;
    private final boolean split;
    private final boolean specials;
    private final UnaryOperator<String> casing;

    private TokenFunctions(Value options) {
        this.options = options;
        this.names = Args.flag(options, "names", true);
        this.split = Args.flag(options, "split", true);
        this.specials = Args.flag(options, "specials", false);
        String wanted = Args.text(Args.option(options, "case"));
        this.casing = switch (wanted == null ? "" : wanted.toLowerCase(Locale.ROOT)) {
            case "lower" -> text -> text.toLowerCase(Locale.ROOT);
            case "upper" -> text -> text.toUpperCase(Locale.ROOT);
            default -> text -> text;
        };
    }

    static void register(FunctionSpec.Registrar registrar) {
        registrar.add(1, 2, TokenFunctions::tokens, "tokens");
        registrar.add(2, 3, TokenFunctions::containsToken, "contains_token", "has_token");
        registrar.add(2, 3, TokenFunctions::containsTokenLike, "contains_token_like");
        registrar.add(2, 3, TokenFunctions::containsTokenRegexp, "contains_token_regexp", "contains_token_regex");
    }

    private static Value tokens(Value[] args, FunctionContext context) {
        if (args[0].isMissing() || args.length > 1 && !args[1].isObject()) {
            return Args.anyMissing(args) ? Value.MISSING : Value.NULL;
        }
        return ArrayValue.of(new ArrayList<>(of(args[0], args.length > 1 ? args[1] : Value.MISSING)));
    }

    private static Set<Value> of(Value value, Value options) {
        TokenFunctions collector = new TokenFunctions(options);
        collector.collect(value);
        return collector.tokens;
    }

    private void collect(Value value) {
        switch (value) {
            case StringValue string -> collectText(string.text());
            case ArrayValue array -> array.forEach(this::collect);
            case ObjectValue object -> {
                for (Map.Entry<String, Value> field : object.fields().entrySet()) {
                    if (names) {
                        collectText(field.getKey());
                    }
                    collect(field.getValue());
                }
            }
            default -> tokens.add(value);
        }
    }

    private void collectText(String text) {
        if (!split) {
            add(Args.flag(options, "trim", true) ? text.strip() : text);
            return;
        }
        for (String word : fields(text, c -> !Character.isLetterOrDigit(c))) {
            add(word);
        }
        if (specials) {
            for (String word : fields(text, c -> Character.isWhitespace(c) || "()[]{}".indexOf(c) >= 0)) {
                int end = word.length();
                while (end > 0 && !Character.isLetterOrDigit(word.charAt(end - 1))) {
                    end--;
                }
                if (end > 0) {
                    add(word.substring(0, end));
                }
            }
        }
    }

    private void add(String token) {
        tokens.add(Value.of(casing.apply(token)));
    }

    private static List<String> fields(String text, IntPredicate separator) {
        List<String> fields = new ArrayList<>();
        int start = -1;
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            if (separator.test(c)) {
                if (start >= 0) {
                    fields.add(text.substring(start, i));
                }
                start = -1;
            } else if (start < 0) {
                start = i;
            }
            i += Character.charCount(c);
        }
        if (start >= 0) {
            fields.add(text.substring(start));
        }
        return fields;
    }

    private static Value containsToken(Value[] args, FunctionContext context) {
        return contains(args, token -> token.equals(args[1]));
    }

    private static Value containsTokenLike(Value[] args, FunctionContext context) {
        if (!(args[1] instanceof StringValue like)) {
            return Args.unknown(args);
        }
        Bounds.pattern(like.text());
        Pattern pattern = context.pattern(Like.regex(like.text(), "\\"));
        return pattern == null ? Value.FALSE : containsMatch(args, pattern, context);
    }

    private static Value containsTokenRegexp(Value[] args, FunctionContext context) {
        if (!(args[1] instanceof StringValue regex)) {
            return Args.unknown(args);
        }
        return containsMatch(args, Args.pattern(regex.text(), context), context);
    }

    private static Value containsMatch(Value[] args, Pattern pattern, FunctionContext context) {
        return contains(args, token -> {
            context.check();
            if (!(token instanceof StringValue text)) {
                return false;
            }
            Bounds.work(text.text().length(), pattern.programSize(), "CONTAINS_TOKEN()");
            return CancellableText.matcher(pattern, text.text(), context).matches();
        });
    }

    private static Value contains(Value[] args, Predicate<Value> wanted) {
        if (args[0].isUnknown() || args[1].isUnknown() || args.length > 2 && !args[2].isObject()) {
            return Args.unknown(args);
        }
        return Value.of(
                of(args[0], args.length > 2 ? args[2] : Value.MISSING).stream().anyMatch(wanted));
    }
}
