package io.millrace.n1ql.syntax;

import io.millrace.n1ql.grammar.N1qlLexer;
import io.millrace.n1ql.syntax.OptimizerHint.Kind;
import io.millrace.n1ql.syntax.Query.From;
import io.millrace.n1ql.syntax.Query.Strategy;
import io.millrace.n1ql.syntax.Query.UseHints;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.Json;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

/** Reads the hints of a text, gives them to the terms that they name, and keeps a list of all. */
final class HintReader {

    /** A word, and what is in the parentheses behind it. */
    private static final Pattern HINT = Pattern.compile("\\s*([A-Za-z_]+)\\s*(?:\\(([^)]*)\\))?\\s*");

    private static final Pattern NAME = Pattern.compile("`((?:[^`]|``)+)`|[^\\s,`/]+|/");

    /** The comments by the token that they follow. */
    private final Map<Integer, String> comments = new HashMap<>();

    private static final UseHints ORDERED = new UseHints(null, false, List.of(), null, true);

    private final List<OptimizerHint> all = new ArrayList<>();

    HintReader(List<Token> tokens) {
        int before = -1;
        for (Token token : tokens) {
            if (token.getChannel() == Token.DEFAULT_CHANNEL) {
                before = token.getTokenIndex();
            } else if (isHint(token)) {
                comments.merge(before, content(token), (one, other) -> one + " " + other);
            }
        }
    }

    private static boolean isHint(Token token) {
        return switch (token.getType()) {
            case N1qlLexer.BLOCK_COMMENT -> token.getText().startsWith("/*+");
            case N1qlLexer.LINE_COMMENT -> token.getText().startsWith("--+");
            default -> false;
        };
    }

    private static String content(Token token) {
        String text = token.getText();
        int end = token.getType() == N1qlLexer.BLOCK_COMMENT ? text.length() - 2 : text.length();
        return text.substring("/*+".length(), end);
    }

    /** Returns all hints of the text, after all clauses have been read. */
    List<OptimizerHint> all() {
        comments.values()
                .forEach(text -> all.add(
                        OptimizerHint.unknown(text.strip(), "hints are read behind SELECT, UPDATE and DELETE only")));
        comments.clear();
        return List.copyOf(all);
    }

    /** Adds the hints of a USE clause to the list. */
    void add(String alias, UseHints hints) {
        if (!hints.indexes().isEmpty()) {
            all.add(OptimizerHint.index(alias, hints.indexes()));
        }
        if (hints.strategy() != null) {
            all.add(OptimizerHint.join(alias, hints.strategy()));
        }
    }

    /** Adds the hints of a term that is not a keyspace, whose rows are computed. */
    void addImpossible(String alias, Strategy strategy) {
        all.add(OptimizerHint.join(alias, strategy).impossible(alias + " is not a keyspace"));
    }

    /** Records the hints of a query without FROM. */
    void withoutFrom(Token verb) {
        String comment = comments.remove(verb.getTokenIndex());
        if (comment != null) {
            read(comment).forEach(hint -> all.add(checked(hint, List.of(), new HashSet<>())));
        }
    }

    /** Returns FROM with the hints in the comment behind a token. */
    From hinted(From from, Token verb) {
        String comment = comments.remove(verb.getTokenIndex());
        if (comment == null) {
            return from;
        }
        List<OptimizerHint> wanted = read(comment);
        List<String> aliases = new ArrayList<>();
        collect(from, aliases);
        Map<String, UseHints> uses = new HashMap<>();
        Set<String> given = new HashSet<>();
        for (OptimizerHint hint : wanted) {
            OptimizerHint checked = checked(hint, aliases, given);
            all.add(checked);
            if (checked.kind() == Kind.ORDERED) {
                aliases.forEach(alias -> uses.merge(alias, ORDERED, HintReader::both));
            } else if (checked.problem() == null) {
                uses.merge(hint.alias(), use(hint), HintReader::both);
            }
        }
        return with(from, uses);
    }

    private static OptimizerHint checked(OptimizerHint hint, List<String> aliases, Set<String> given) {
        if (hint.problem() != null || hint.kind() == Kind.ORDERED) {
            return hint;
        }
        if (!aliases.contains(hint.alias())) {
            return hint.impossible(
                    "no keyspace of FROM has the alias " + hint.alias() + Suggestion.didYouMean(hint.alias(), aliases));
        }
        boolean join = hint.kind() != Kind.INDEX;
        if (join && aliases.getFirst().equals(hint.alias())) {
            return hint.impossible(hint.alias() + " is the first term; name the term that is joined to it");
        }
        return given.add((join ? "join " : "index ") + hint.alias())
                ? hint
                : hint.impossible("another hint for " + hint.alias() + " comes first");
    }

    private static UseHints use(OptimizerHint hint) {
        return switch (hint.kind()) {
            case NESTED_LOOP -> new UseHints(null, false, List.of(), Strategy.NESTED_LOOP, false);
            case HASH_BUILD -> new UseHints(null, false, List.of(), Strategy.HASH_BUILD, false);
            case HASH_PROBE -> new UseHints(null, false, List.of(), Strategy.HASH_PROBE, false);
            default -> new UseHints(null, false, hint.indexes(), null, false);
        };
    }

    private static UseHints both(UseHints one, UseHints other) {
        return new UseHints(
                one.keys(),
                one.validate(),
                one.indexes().isEmpty() ? other.indexes() : one.indexes(),
                one.strategy() == null ? other.strategy() : one.strategy(),
                one.ordered() || other.ordered());
    }

    // ---- the text of a comment

    private static List<OptimizerHint> read(String comment) {
        List<OptimizerHint> hints = new ArrayList<>();
        if (comment.strip().startsWith("{")) {
            readJson(comment.strip(), hints);
            return hints;
        }
        Matcher matcher = HINT.matcher(comment);
        int at = 0;
        while (at < comment.length()) {
            if (!matcher.find(at) || matcher.start() != at) {
                hints.add(OptimizerHint.unknown(
                        comment.substring(at).strip(),
                        "a hint is a word, with names in parentheses: INDEX(alias name)"));
                return hints;
            }
            at = matcher.end();
            String arguments = matcher.group(2);
            add(matcher.group(1), arguments == null ? "" : arguments, hints);
        }
        return hints;
    }

    private static void add(String word, String arguments, List<OptimizerHint> hints) {
        String text = word + (arguments.isEmpty() ? "" : "(" + arguments.strip() + ")");
        List<String> names = names(arguments);
        switch (word.toUpperCase(Locale.ROOT)) {
            case "ORDERED" -> hints.add(OptimizerHint.ordered());
            case "INDEX" -> {
                if (names.isEmpty()) {
                    hints.add(OptimizerHint.unknown(text, "it names no term: INDEX(alias name)"));
                } else {
                    hints.add(OptimizerHint.index(names.getFirst(), names.subList(1, names.size())));
                }
            }
            case "USE_NL" -> names.forEach(name -> hints.add(OptimizerHint.join(name, Strategy.NESTED_LOOP)));
            case "USE_HASH" -> hash(names, hints);
            default ->
                hints.add(OptimizerHint.unknown(
                        text, "the hints are INDEX(alias name), USE_NL(alias), USE_HASH(alias) and ORDERED"));
        }
    }

    /** Reads an object that has, for each word, an object or an array of objects with the alias of a term. */
    private static void readJson(String comment, List<OptimizerHint> hints) {
        if (!(Json.parse(comment) instanceof ObjectValue words)) {
            hints.add(OptimizerHint.unknown(comment, "it begins with a brace, but is not JSON"));
            return;
        }
        words.fields().forEach((word, value) -> {
            for (Value wish : value instanceof ArrayValue several ? several : ArrayValue.of(value)) {
                hints.add(ofJson(word.toLowerCase(Locale.ROOT), wish));
            }
        });
    }

    private static OptimizerHint ofJson(String word, Value wish) {
        if (word.equals("ordered") && wish == Value.TRUE) {
            return OptimizerHint.ordered();
        }
        String alias = field(wish, "keyspace") == null ? field(wish, "alias") : field(wish, "keyspace");
        boolean known = word.equals("index") || word.equals("use_nl") || word.equals("use_hash");
        if (alias == null || !known) {
            return OptimizerHint.unknown(
                    "{" + Value.of(word).toJson() + ": " + wish.toJson() + "}",
                    "the hints are {\"index\": {\"keyspace\": alias, \"indexes\": [name]}}, \"use_nl\", \"use_hash\" and"
                            + " \"ordered\": true");
        }
        return switch (word) {
            case "index" -> OptimizerHint.index(alias, texts(((ObjectValue) wish).get("indexes")));
            case "use_nl" -> OptimizerHint.join(alias, Strategy.NESTED_LOOP);
            default -> {
                boolean probe = "probe".equalsIgnoreCase(field(wish, "option"));
                yield OptimizerHint.join(alias, probe ? Strategy.HASH_PROBE : Strategy.HASH_BUILD);
            }
        };
    }

    private static @Nullable String field(Value wish, String name) {
        return wish instanceof ObjectValue object && object.get(name) instanceof StringValue text ? text.text() : null;
    }

    /** Returns the texts of an array, or the only one. */
    private static List<String> texts(Value value) {
        List<String> texts = new ArrayList<>();
        for (Value item : value instanceof ArrayValue several ? several : ArrayValue.of(value)) {
            if (item instanceof StringValue text) {
                texts.add(text.text());
            }
        }
        return texts;
    }

    /** Reads {@code a}, {@code b/BUILD} and {@code c/PROBE}. */
    private static void hash(List<String> names, List<OptimizerHint> hints) {
        for (int i = 0; i < names.size(); i++) {
            boolean sided = i + 2 < names.size() && names.get(i + 1).equals("/");
            String side = sided ? names.get(i + 2) : "BUILD";
            hints.add(OptimizerHint.join(
                    names.get(i), side.equalsIgnoreCase("PROBE") ? Strategy.HASH_PROBE : Strategy.HASH_BUILD));
            i += sided ? 2 : 0;
        }
    }

    private static List<String> names(String arguments) {
        List<String> names = new ArrayList<>();
        Matcher matcher = NAME.matcher(arguments);
        while (matcher.find()) {
            names.add(
                    matcher.group(1) == null
                            ? matcher.group()
                            : matcher.group(1).replace("``", "`"));
        }
        return names;
    }

    // ---- the terms

    private static void collect(From from, List<String> aliases) {
        switch (from) {
            case Query.PathTerm term -> aliases.add(alias(term));
            case Query.KeyspaceTerm term -> aliases.add(term.alias());
            case Query.Join join -> {
                collect(join.left(), aliases);
                collect(join.right(), aliases);
            }
            case Query.KeyJoin join -> collect(join.left(), aliases);
            case Query.Unnest unnest -> collect(unnest.left(), aliases);
            case Query.ExprTermFrom term -> aliases.add(term.alias() == null ? "" : term.alias());
            case Query.SubqueryTerm term -> aliases.add(term.alias() == null ? "" : term.alias());
        }
    }

    private static String alias(Query.PathTerm term) {
        return term.alias() == null ? term.path().getLast() : term.alias();
    }

    private static From with(From from, Map<String, UseHints> uses) {
        return switch (from) {
            case Query.PathTerm term ->
                new Query.PathTerm(
                        term.path(),
                        term.namespace(),
                        term.alias(),
                        both(term.use(), uses.getOrDefault(alias(term), UseHints.NONE)),
                        term.lateral(),
                        term.place());
            case Query.KeyspaceTerm term ->
                new Query.KeyspaceTerm(
                        term.path(),
                        term.parameter(),
                        term.alias(),
                        term.slot(),
                        term.metaSlot(),
                        both(term.use(), uses.getOrDefault(term.alias(), UseHints.NONE)),
                        term.place());
            case Query.Join join ->
                new Query.Join(join.kind(), join.nest(), with(join.left(), uses), with(join.right(), uses), join.on());
            case Query.KeyJoin join ->
                new Query.KeyJoin(
                        join.kind(),
                        join.nest(),
                        with(join.left(), uses),
                        join.right(),
                        join.keys(),
                        join.forAlias(),
                        join.place());
            case Query.Unnest unnest ->
                new Query.Unnest(
                        unnest.kind(),
                        with(unnest.left(), uses),
                        unnest.expr(),
                        unnest.alias(),
                        unnest.slot(),
                        unnest.positionSlot(),
                        unnest.place());
            case Query.ExprTermFrom term -> term;
            case Query.SubqueryTerm term -> term;
        };
    }
}
